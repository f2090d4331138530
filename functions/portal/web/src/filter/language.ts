/**
 * The filter language, read in the browser so that a filter applies while it is typed. The service reads the same
 * texts, and more of them: it is asked which items a term matches that this reader does not know (`remote.ts`), and
 * its sentence explains one that is wrong.
 */
import type { Priority } from '@/api/types';
import { dayNumber } from '@/lib/days';
import type { Card } from '@/store/feed';

export const FIELDS = [
  'state',
  'type',
  'priority',
  'assignee',
  'label',
  'sprint',
  'blocked',
  'estimate',
  'remaining',
  'claimed',
  'parent',
  'due',
] as const;
export type Field = (typeof FIELDS)[number];

export interface Term {
  /** As it was written. */
  text: string;
  negated: boolean;
  field: Field;
  value: string;
}

/** What a filter compares with besides the items. */
export interface Context {
  me: string;
  currentSprint: string | undefined;
  /** The project's states by their names in small letters; without them, every name may be one. */
  states?: ReadonlySet<string> | undefined;
}

const TYPES: readonly string[] = ['story', 'bug', 'task', 'epic', 'subtask'];
const PRIORITIES: readonly Priority[] = ['lowest', 'low', 'medium', 'high', 'highest'];

/** Splits a filter into its terms; quotes keep spaces together, and so do parentheses around a group. */
export function split(filter: string): string[] {
  const terms: string[] = [];
  let open = 0;
  for (const word of filter.match(/(?:[^\s"]+|"[^"]*"?)+/g) ?? []) {
    const before = open;
    open = Math.max(0, open + depthOf(word, before > 0));
    if (before > 0) terms.push(`${terms.pop() ?? ''} ${word}`);
    else terms.push(word);
  }
  return terms;
}

/** How much deeper in parentheses a word leads. Outside of a group they are part of a value. */
function depthOf(word: string, inGroup: boolean): number {
  const bare = word.replace(/"[^"]*"?/g, '');
  if (!inGroup && !/^-?\(/.test(bare)) return 0;
  return bare.split('(').length - bare.split(')').length;
}

/** A term, or nothing where it is none of the language, or names a state that the project does not have. */
export function readTerm(text: string, states?: ReadonlySet<string>): Term | undefined {
  const match = /^(-?)([a-z]+):(.+)$/is.exec(text);
  const field = match?.[2]?.toLowerCase() as Field | undefined;
  if (!match || !field || !FIELDS.includes(field)) return undefined;
  const term = { text, negated: match[1] === '-', field, value: match[3] ?? '' };
  return isKnown(term, states) ? term : undefined;
}

function isKnown({ field, value }: Term, states: ReadonlySet<string> | undefined): boolean {
  const choices = unquoted(value).split(',');
  if (choices.some((choice) => choice === '')) return false;
  if (field === 'state') return lowerOf(choices).every((choice) => isState(choice, states));
  if (field === 'type') return lowerOf(choices).every((choice) => TYPES.includes(choice));
  if (field === 'priority')
    return choices.every((choice) => PRIORITIES.includes(comparison(choice).value as Priority));
  if (field === 'estimate' || field === 'remaining') return choices.every((choice) => isNumberChoice(choice));
  if (field === 'due') return lowerOf(choices).every(isDayChoice);
  if (field === 'assignee') return lowerOf(choices).every((choice) => PEOPLE.test(choice));
  if (field === 'claimed') return lowerOf(choices).every((choice) => HOLDERS.test(choice));
  if (field === 'parent') return lowerOf(choices).every((choice) => PARENTS.test(choice));
  if (field === 'sprint') return lowerOf(choices).every((choice) => SPRINTS.test(choice));
  if (field === 'blocked') return value === 'true' || value === 'false';
  return true;
}

/** Names are the service's to look up. */
const ID = '[0-9a-f]{8}-[0-9a-f-]{27}';
const PEOPLE = new RegExp(`^(?:@me|none|any|${ID})$`);
const HOLDERS = new RegExp(`^(?:@me|@agent|none|any|${ID})$`);
const PARENTS = /^(?:none|[a-z][a-z0-9]*-\d+)$/;
const SPRINTS = new RegExp(`^(?:current|none|any|${ID})$`);

const GROUPS = ['backlog', 'active', 'resolved', 'closed'];

function isState(name: string, states: ReadonlySet<string> | undefined): boolean {
  return states === undefined || states.has(name) || GROUPS.includes(name);
}

function lowerOf(choices: readonly string[]): string[] {
  return choices.map((choice) => choice.toLowerCase());
}

function isNumberChoice(choice: string): boolean {
  return (
    choice === 'none' ||
    choice === 'any' ||
    (choice !== '' && Number.isFinite(Number(comparison(choice).value)))
  );
}

function isDayChoice(choice: string): boolean {
  return choice === 'none' || choice === 'any' || dayNumber(comparison(choice).value) !== undefined;
}

/** The terms that only the service can read, or say what is wrong with. */
export function remoteTerms(filter: string, states?: ReadonlySet<string>): string[] {
  return split(filter).filter((term) => readTerm(term, states) === undefined);
}

/**
 * A test of items for a filter and free words. `found` has the keys that the service found for terms that this reader
 * does not know; one without an answer is left out.
 */
export function matcher(
  filter: string,
  q: string,
  context: Context,
  found: ReadonlyMap<string, ReadonlySet<string>> = NOTHING,
): (card: Card) => boolean {
  const tests = split(filter)
    .map((text) => testOf(text, context, found))
    .filter((test) => test !== undefined);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (tests.length === 0 && words.length === 0) return () => true;
  return (card) => tests.every((test) => test(card)) && hasWords(card, words);
}

const NOTHING: ReadonlyMap<string, ReadonlySet<string>> = new Map();

function testOf(
  text: string,
  context: Context,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): ((card: Card) => boolean) | undefined {
  const term = readTerm(text, context.states);
  if (!term) {
    const keys = found.get(text);
    return keys && ((card) => keys.has(card.key));
  }
  const test = conditionOf(term, context);
  return term.negated ? (card) => !test(card) : test;
}

function hasWords(card: Card, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = `${card.key} ${card.title} ${card.labels.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function conditionOf({ field, value }: Term, context: Context): (card: Card) => boolean {
  const choices = unquoted(value).split(',');
  const lower = choices.map((choice) => choice.toLowerCase());
  switch (field) {
    case 'state':
      return (card) => lower.includes(card.state.toLowerCase()) || lower.includes(card.stateGroup);
    case 'type':
      return (card) => lower.includes(card.type);
    case 'priority':
      return (card) =>
        lower.some((choice) =>
          compares(PRIORITIES.indexOf(card.priority), choice, (text) => PRIORITIES.indexOf(text as Priority)),
        );
    case 'assignee':
      return (card) => lower.some((choice) => isPerson(choice, card.assignee?.id, context.me));
    case 'label':
      return (card) =>
        lower.some((choice) =>
          choice.split('+').every((name) => card.labels.some((label) => label.toLowerCase() === name)),
        );
    case 'sprint':
      return (card) => lower.some((choice) => isSprint(choice, card.sprint, context.currentSprint));
    case 'blocked':
      return (card) => card.blocked === (value === 'true');
    case 'estimate':
    case 'remaining':
      return (card) => lower.some((choice) => isNumber(choice, card[field]));
    case 'claimed':
      return (card) => lower.some((choice) => isClaimed(choice, card, context.me));
    case 'due':
      return (card) => lower.some((choice) => isDay(choice, card.due));
    case 'parent':
      return (card) =>
        lower.some((choice) => (choice === 'none' ? !card.parent : card.parent?.toLowerCase() === choice));
  }
}

function isPerson(choice: string, id: string | undefined, me: string): boolean {
  if (choice === 'none') return id === undefined;
  if (choice === 'any') return id !== undefined;
  return id === (choice === '@me' ? me : choice);
}

function isSprint(choice: string, sprint: string | null | undefined, current: string | undefined): boolean {
  if (choice === 'none') return !sprint;
  if (choice === 'any') return Boolean(sprint);
  return sprint !== null && sprint !== undefined && sprint === (choice === 'current' ? current : choice);
}

function isClaimed(choice: string, card: Card, me: string): boolean {
  const { claim } = card;
  if (choice === 'none') return !claim || claim.stale;
  if (choice === 'any') return Boolean(claim && !claim.stale);
  if (choice === '@agent') return claim?.agent ?? false;
  return claim?.holder === (choice === '@me' ? me : choice);
}

function isNumber(choice: string, held: number | null | undefined): boolean {
  if (choice === 'none') return held === null || held === undefined;
  if (choice === 'any') return held !== null && held !== undefined;
  return held !== null && held !== undefined && compares(held, choice, Number);
}

function isDay(choice: string, held: string | null | undefined): boolean {
  if (choice === 'none') return !held;
  const day = held ? dayNumber(held) : undefined;
  if (day === undefined) return false;
  if (choice === 'any') return true;
  return compares(day, choice, (text) => dayNumber(text) ?? Number.NaN);
}

function compares(held: number, choice: string, read: (text: string) => number): boolean {
  const { operator, value } = comparison(choice);
  const other = read(value);
  switch (operator) {
    case '>=':
      return held >= other;
    case '<=':
      return held <= other;
    case '>':
      return held > other;
    case '<':
      return held < other;
    default:
      return held === other;
  }
}

function comparison(choice: string): { operator: string; value: string } {
  const match = /^(>=|<=|>|<|=)?(.*)$/.exec(choice);
  return { operator: match?.[1] ?? '=', value: match?.[2] ?? '' };
}

function unquoted(value: string): string {
  return value.replaceAll('"', '');
}

/** A value as a filter takes it: in quotes where it has spaces. */
export function quoted(value: string): string {
  return /[\s,]/.test(value) ? `"${value}"` : value;
}
