/** What the person is told of writes that the service did not take as they were. Loaded with the first of them. */
import type { ProblemError } from '@/api/problem';
import type { Card } from '@/store/feed';
import { changeItems, type ItemChange, type ItemCreation } from '@/store/kinds/item';
import { toast, toastProblem } from '@/ui/toasts';
import { overlayNow, show } from './overlays';
import { t } from './reports-strings';

/** So long after "Create" its dialog opens again by itself; later the person is busy with something else. */
const SOON = 15_000;

/** A refused item: its dialog is opened again with everything that was filled in. */
export function reopen({
  creation,
  problem,
  at,
}: {
  creation: ItemCreation;
  problem: ProblemError;
  at: number;
}): void {
  const { slug, project } = creation;
  const open = () => show({ kind: 'create', slug, project, problem });
  if (Date.now() - at < SOON && overlayNow() === undefined) open();
  else toastProblem(problem, { note: t('keptNew'), action: { label: t('openAgain'), run: open } });
}

export function tellRefusal({ problem, kept }: { problem: ProblemError; kept: boolean }): void {
  toastProblem(problem, kept ? { note: t('kept') } : {});
}

interface Refusal {
  key: string;
  problem: ProblemError;
  kept: boolean;
}

/** What did not change of a batch is said in one toast, which names the items of each reason. */
function tellAllRefusals(refusals: readonly Refusal[]): void {
  const [first] = refusals;
  if (first && refusals.length === 1) {
    tellRefusal(first);
    return;
  }
  const reasons = new Set(refusals.map(({ problem }) => problem.message));
  const keys = (why: string) =>
    refusals.filter(({ problem }) => problem.message === why).map(({ key }) => key);
  const detail = [...reasons].map((why) => `${listed(keys(why))}: ${why}`).join(' ');
  toast(t('unchanged', { n: refusals.length }), { tone: 'bad', detail });
}

interface Contest {
  write: ItemChange;
  fields: string[];
  now: Card;
}

/** The others' values stand; the person may set theirs again. */
function askAboutAll(contests: readonly Contest[]): void {
  const [first] = contests;
  if (!first) return;
  const { write, now, fields } = first;
  const field = fields[0] ?? '';
  const value = worded(now[field as keyof Card]);
  const mine = worded(write.show[field as keyof Card]);
  const text =
    contests.length === 1
      ? t('contested', { key: now.key, field, value })
      : t('contestedMany', { keys: listed(contests.map(({ now }) => now.key)), field });
  const run = () =>
    changeItems(
      contests.map(({ write, fields, now }) => ({
        ...write,
        before: pick(now, fields),
        version: now.version,
      })),
    );
  toast(text, { tone: 'bad', action: { label: t('insist', { value: mine }), run } });
}

/** So long the answers to a batch are waited for, to be told together. */
const TOGETHER = 300;

/** Collects what is told of the writes of one batch, and tells it at once. What is of no batch is told alone. */
function together<T>(tell: (all: readonly T[]) => void): (one: T & { batch?: string | undefined }) => void {
  const waiting = new Map<string, T[]>();
  return (one) => {
    const { batch } = one;
    if (batch === undefined) {
      tell([one]);
      return;
    }
    const all = waiting.get(batch) ?? [];
    all.push(one);
    if (all.length > 1) return;
    waiting.set(batch, all);
    setTimeout(() => {
      waiting.delete(batch);
      tell(all);
    }, TOGETHER);
  };
}

const MOST_NAMED = 5;

/** "DEMO-1, DEMO-2", and how many more where there are many. */
function listed(keys: readonly string[]): string {
  const more = keys.length - MOST_NAMED;
  const named = keys.slice(0, MOST_NAMED).join(', ');
  return more > 0 ? t('andMore', { keys: named, n: more }) : named;
}

function pick(card: Card, fields: string[]): Partial<Card> {
  return Object.fromEntries(fields.map((field) => [field, card[field as keyof Card]]));
}

function worded(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('nothing');
  if (Array.isArray(value)) return value.join(', ') || t('nothing');
  if (typeof value === 'object') return String((value as { name?: string }).name ?? '');
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Says what was refused, once for a batch. */
export const tellRefusals = together(tellAllRefusals);

/** Asks whether the others' values are to stand, once for a batch. */
export const askAgain = together(askAboutAll);
