/** The keys that lead through the rows of a list, and select on the way. */
import type { Command } from '@/commands/registry';
import { t } from './strings';

export type Step = 1 | -1;

/** `go` leads to the next or the previous row, and selects up to there where it is asked to. */
export function movementOf(go: (step: Step, selecting: boolean) => () => void): Command[] {
  const commands = [
    ['down', 'nextItem', 'j', go(1, false)],
    ['up', 'previousItem', 'k', go(-1, false)],
    ['arrow-down', 'nextItem', 'down', go(1, false)],
    ['arrow-up', 'previousItem', 'up', go(-1, false)],
    ['select-down', 'selectDown', 'shift+j', go(1, true)],
    ['select-up', 'selectUp', 'shift+k', go(-1, true)],
    ['select-arrow-down', 'selectDown', 'shift+down', go(1, true)],
    ['select-arrow-up', 'selectUp', 'shift+up', go(-1, true)],
  ] as const;
  return commands.map(([id, title, keys, run]) => ({
    id: `list.${id}`,
    title: t(title),
    keys,
    run,
    group: 'view',
    hidden: true,
  }));
}
