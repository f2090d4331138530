/** What will become of a run that is about to be started: at once, later, or why it will wait. Pure. */
import type { Playbook, Runner } from '@/api/types';
import { plain } from '@/lib/text';
import { harnessName } from './harnesses';
import { t } from './start-strings';

export interface Preflight {
  tone: 'ok' | 'warn' | 'bad';
  text: string;
}

interface Plan {
  playbook: Pick<Playbook, 'harness'> | undefined;
  runners: readonly Runner[];
  /** Id of the chosen runner; any when empty. */
  runner: string;
  /** How many runs each runner works on now. */
  load: ReadonlyMap<string, number>;
  /** When it is to start, in milliseconds; nothing for now. */
  at: number | undefined;
  now: number;
}

export function preflight({ playbook, runners, runner, load, at, now }: Plan): Preflight | undefined {
  if (!playbook) return undefined;
  if (at !== undefined && at <= now) return { tone: 'bad', text: t('past') };
  const harness = harnessName(playbook.harness);
  const usable = runners.filter((one) => !one.disabled && (runner === '' || one.id === runner));
  const able = usable.filter((one) => one.harnesses?.includes(playbook.harness));
  const online = able.filter((one) => one.online);
  if (at !== undefined) {
    return able.length > 0
      ? { tone: 'ok', text: t('later') }
      : { tone: 'warn', text: t('laterNobody', { harness }) };
  }
  const free = online.find((one) => (load.get(one.id) ?? 0) < (one.parallel ?? 1));
  if (free) return { tone: 'ok', text: t('atOnce', { runner: plain(free.name) }) };
  if (online.length > 0) return { tone: 'warn', text: runner ? t('chosenBusy') : t('busy', { harness }) };
  const chosen = runner ? usable[0] : undefined;
  if (chosen) {
    return {
      tone: 'warn',
      text: t(chosen.online ? 'chosenLacks' : 'chosenOffline', { runner: plain(chosen.name), harness }),
    };
  }
  if (usable.length === 0) return { tone: 'warn', text: t('nobody') };
  return { tone: 'warn', text: usable.some((one) => one.online) ? t('lacking', { harness }) : t('offline') };
}
