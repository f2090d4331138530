/** The limits that budgets have, what is used of them, and what a form makes of them. Pure. */
import type { Budget } from '@/api/types';
import { cost, count } from '@/runs/figures';
import { t } from './strings';

/** Limits on what counts since midnight UTC, and on runs at the same time. What is used of them is known. */
export const DAILY = ['runsAtOnce', 'runsADay', 'minutesADay', 'tokensADay', 'costADay'] as const;
/** Limits on one run. */
export const EACH = ['minutesARun', 'tokensARun', 'costARun'] as const;

type Daily = (typeof DAILY)[number];
export type Each = (typeof EACH)[number];
export type Limit = Daily | Each;

/** Whether it is US dollars, which have cents. */
export function isMoney(limit: Limit): boolean {
  return limit === 'costADay' || limit === 'costARun';
}

/** An amount as people read it: "12.4K", "$0.42". */
export function amount(limit: Limit, value: number): string {
  return isMoney(limit) ? (cost(value) ?? '') : count(value);
}

/** What the budget is for, in a word or two that name it among the others. */
export function nameOf({ project, agent }: Budget): string {
  if (project) return t('ofProject', { key: project });
  return agent ? t('ofAgent', { name: agent.name }) : t('ofOrganization');
}

export interface Meter {
  limit: Daily;
  used: number;
  most: number | undefined;
  /** How much of it is used, from 0 to 1; nothing where nothing is limited. */
  part: number | undefined;
  state: 'free' | 'near' | 'over';
}

/** From this part on, a budget will soon be used up. */
const NEAR = 0.8;

/** What is used of each limit, and how near it is. */
export function meters({ limits, used, left }: Budget): Meter[] {
  return DAILY.map((limit) => {
    const most = limits[limit];
    if (most === undefined) return { limit, used: used[limit], most, part: undefined, state: 'free' };
    const part = most > 0 ? Math.min(1, used[limit] / most) : 1;
    const over = (left[limit] ?? 0) <= 0;
    return { limit, used: used[limit], most, part, state: over ? 'over' : part >= NEAR ? 'near' : 'free' };
  });
}

/** What of a budget is used up, so that runs wait: "The whole organization (runs today)". Nothing, or one text. */
export function heldBackBy(budget: Budget): string[] {
  const over = meters(budget).filter(({ state }) => state === 'over');
  if (over.length === 0) return [];
  const what = over.map(({ limit }) => t(`meter_${limit}`).toLowerCase()).join(', ');
  return [t('over', { name: nameOf(budget), what })];
}

export type Values = Record<Limit, string>;

/** What a form shows: an empty field limits nothing. */
export function valuesOf(limits: Budget['limits']): Values {
  return Object.fromEntries(
    [...DAILY, ...EACH].map((limit) => [limit, String(limits[limit] ?? '')]),
  ) as Values;
}

/** The limits that differ from those that the form began with; one that was emptied is cleared. */
export function changes(begun: Values, now: Values): Partial<Record<Limit, number | null>> {
  const changed = [...DAILY, ...EACH].filter((limit) => begun[limit].trim() !== now[limit].trim());
  return Object.fromEntries(
    changed.map((limit) => [limit, now[limit].trim() === '' ? null : Number(now[limit])]),
  );
}
