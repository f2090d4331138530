/** Durations, costs and counts of runs as people read them. */
import type { Run } from '@/api/types';
import { duration, serverNow } from '@/lib/times';
import { t } from './figure-strings';
import { isLive } from './live';

const money = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "$0.42"; nothing for a harness that reports no cost. */
export function cost(dollars: number | null | undefined): string | undefined {
  if (dollars === null || dollars === undefined) return undefined;
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : money.format(dollars);
}

/** "12.4K". */
export function count(number: number): string {
  return compact.format(number);
}

/** How long the harness worked, or has worked until now. */
export function worked(
  run: Pick<Run, 'startedAt' | 'finishedAt' | 'status'>,
  now = serverNow(),
): string | undefined {
  if (!run.startedAt) return undefined;
  const end = run.finishedAt ? Date.parse(run.finishedAt) : isLive(run) ? now : Number.NaN;
  return Number.isNaN(end) ? undefined : duration(end - Date.parse(run.startedAt));
}

/** Names and values of what a run took and used, and its exit code; nothing where it is not known. */
export function figuresOf(run: Run): [string, string | undefined][] {
  const { tokens, exitCode } = run;
  const cached = (tokens?.cacheRead ?? 0) + (tokens?.cacheWrite ?? 0);
  const used = tokens && {
    input: count(tokens.input),
    output: count(tokens.output),
    cached: count(cached),
  };
  return [
    [t('worked'), worked(run)],
    [t('cost'), cost(run.cost)],
    [
      t('tokens'),
      used && tokens.input + tokens.output > 0
        ? t(cached > 0 ? 'tokensCached' : 'tokensPlain', used)
        : undefined,
    ],
    [t('exit'), exitCode?.toString()],
  ];
}

/** The day's runs in figures. */
export function today(runs: readonly Run[], now = serverNow()) {
  const day = new Date(now).toDateString();
  const all = runs.filter((run) => new Date(run.queuedAt).toDateString() === day);
  const ended = all.filter((run) => ['succeeded', 'failed', 'timedOut'].includes(run.status));
  const well = ended.filter((run) => run.status === 'succeeded').length;
  const spent = all.reduce((sum, run) => sum + (run.cost ?? 0), 0);
  return {
    started: all.length,
    ended: ended.length,
    succeeded: well,
    cost: all.some((run) => run.cost != null) ? spent : undefined,
  };
}
