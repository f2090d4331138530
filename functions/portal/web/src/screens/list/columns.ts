/** Which columns the list shows. The address names them; without, what was chosen last in this browser holds. */
import { useLocal } from '@/lib/local';
import type { t } from './strings';

/** Columns that can be hidden, in the order in which they are drawn. */
export const CHOICES = [
  'state',
  'priority',
  'labels',
  'estimate',
  'remaining',
  'due',
  'assignee',
  'created',
  'updated',
] as const;
export type Choice = (typeof CHOICES)[number];
export type Column = 'key' | 'title' | Choice;

const FIRST: readonly Choice[] = ['state', 'priority', 'labels', 'estimate', 'due', 'assignee', 'updated'];

/** What stands over each column. */
export const HEADS = {
  key: 'key',
  title: 'itemTitle',
  state: 'state',
  priority: 'priority',
  labels: 'labels',
  estimate: 'estimate',
  remaining: 'remaining',
  due: 'due',
  assignee: 'assignee',
  created: 'created',
  updated: 'updated',
} as const satisfies Record<Column, Parameters<typeof t>[0]>;

/** Columns by which the list is not sorted. */
export const UNSORTED: readonly Column[] = ['labels'];

/** The choices that a text of the address names, in drawing order; none of them is the text `none`. */
export function choicesOf(text: string | undefined): readonly Choice[] | undefined {
  if (!text) return undefined;
  const named = text.split(',');
  return CHOICES.filter((choice) => named.includes(choice));
}

/** The text of the address for some choices. */
export function textOf(choices: readonly Choice[]): string {
  return CHOICES.filter((choice) => choices.includes(choice)).join(',') || 'none';
}

/** The columns shown, and a function that shows or hides one. */
export function useColumns(
  named: string | undefined,
  change: (columns: string) => void,
): [readonly Choice[], (choice: Choice) => void] {
  const [kept, keep] = useLocal('list-columns', textOf(FIRST));
  const shown = choicesOf(named) ?? choicesOf(kept) ?? FIRST;
  const toggle = (choice: Choice) => {
    const next = shown.includes(choice) ? shown.filter((one) => one !== choice) : [...shown, choice];
    keep(textOf(next));
    change(textOf(next));
  };
  return [shown, toggle];
}
