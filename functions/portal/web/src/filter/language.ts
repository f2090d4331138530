/**
 * The filter language, read in the browser so that a filter applies while it is typed. The service reads the same
 * texts, and more of them: it is asked which items a term matches that this reader does not know (`remote.ts`), and
 * its sentence explains one that is wrong.
 */
import type { Priority } from '@/api/types';
import { dayNumber, dayNumberOf, pastDayNumber, timeZone } from '@/lib/days';
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
  'milestone',
  'title',
  'created',
  'updated',
] as const;
export type Field = (typeof FIELDS)[number];

interface Term {
  /** As it was written. */
  text: string;
  negated: boolean;
  field: Field;
  value: string;
}

/** What a project has, as far as it is known. */
export interface Known {
  /** The project's states by their names in small letters; without them, every name may be one. */
  states?: ReadonlySet<string> | undefined;
  /** Ids by names, as `folded` writes them. */
  sprints?: ReadonlyMap<string, string> | undefined;
  milestones?: ReadonlyMap<string, string> | undefined;
}

/** What a filter compares with besides the items. */
interface Context extends Known {
  me: string;
  currentSprint: string | undefined;
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

/** A term, or nothing where it is none of the language, or names what the project is not known to have. */
export function readTerm(text: string, known: Known = {}): Term | undefined {
  const match = /^(-?)([a-z]+):(.+)$/is.exec(text);
  const field = match?.[2]?.toLowerCase() as Field | undefined;
  if (!match || !field || !FIELDS.includes(field)) return undefined;
  const term = { text, negated: match[1] === '-', field, value: match[3] ?? '' };
  return isKnown(term, known) ? term : undefined;
}

function isKnown({ field, value }: Term, { states, sprints, milestones }: Known): boolean {
  const choices = choicesOf(value);
  if (choices.some((choice) => choice === '')) return false;
  // In quotes it is a name, even where it looks like a keyword.
  if (NAMED.includes(field) && /"@?[a-z]+"/i.test(value) && choices.some((choice) => KEYWORD.test(choice)))
    return false;
  // Whose address that is, the service knows.
  if (PEOPLE.includes(field) && choices.some((choice) => choice.includes('@') && !KEYWORD.test(choice)))
    return false;
  if (field === 'state') return lowerOf(choices).every((choice) => isState(choice, states));
  if (field === 'type') return lowerOf(choices).every((choice) => TYPES.includes(choice));
  if (field === 'priority')
    return choices.every((choice) => PRIORITIES.includes(comparison(choice).value as Priority));
  if (field === 'estimate' || field === 'remaining') return choices.every((choice) => isNumberChoice(choice));
  if (field === 'due') return lowerOf(choices).every((choice) => isDayChoice(choice, dayNumber));
  if (field === 'created' || field === 'updated')
    return lowerOf(choices).every((choice) => isDayChoice(ofAge(choice), pastDayNumber));
  if (field === 'parent') return lowerOf(choices).every((choice) => PARENTS.test(choice));
  if (field === 'sprint')
    return choices.every((choice) => SPRINTS.test(choice) || sprints?.has(folded(choice)));
  if (field === 'milestone')
    return choices.every((choice) => MILESTONES.test(choice) || milestones?.has(folded(choice)));
  if (field === 'blocked') return value === 'true' || value === 'false';
  return true;
}

const ID = '[0-9a-f]{8}-[0-9a-f-]{27}';
const PEOPLE: readonly Field[] = ['assignee', 'claimed'];
const NAMED: readonly Field[] = ['assignee', 'claimed', 'sprint', 'milestone'];
const KEYWORD = /^(?:@me|@agent|current|none|any)$/i;
const PARENTS = /^(?:none|[a-z][a-z0-9]*-\d+)$/;
const SPRINTS = new RegExp(`^(?:current|none|any|${ID})$`, 'i');
const MILESTONES = new RegExp(`^(?:none|any|${ID})$`, 'i');

/** A name without case and accents, as names are compared. */
export function folded(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

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

type ReadDay = (text: string) => number | undefined;

function isDayChoice(choice: string, read: ReadDay): boolean {
  return choice === 'none' || choice === 'any' || read(comparison(choice).value) !== undefined;
}

const TURNED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** An age as the day so long ago: what is younger than `7d` lies behind it. */
function ofAge(choice: string): string {
  const { operator, value } = comparison(choice);
  return /^\d{1,4}[dwm]$/.test(value) ? `${TURNED[operator] ?? operator}-${value}` : choice;
}

/** The zone to send with a filter that names days; they are those of the person who looks. */
export function zoneFor(filter: string): { timeZone?: string } {
  const zone = /\b(?:due|created|updated|resolved):/i.test(filter) ? timeZone() : undefined;
  return zone ? { timeZone: zone } : {};
}

/** The terms that only the service can read, or say what is wrong with. */
export function remoteTerms(filter: string, known?: Known): string[] {
  return split(filter).filter((term) => readTerm(term, known) === undefined);
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
  const term = readTerm(text, context);
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
  const lower = lowerOf(choicesOf(value));
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
      return (card) => lower.some((choice) => isPerson(choice, card.assignee, context.me));
    case 'label':
      return (card) =>
        labelsOf(value.toLowerCase()).some((all) =>
          all.every((name) => card.labels.some((label) => label.toLowerCase() === name)),
        );
    case 'sprint':
      return (card) =>
        lower.some((choice) => isOne(choice, card.sprint, context.sprints, context.currentSprint));
    case 'milestone':
      return (card) => lower.some((choice) => isOne(choice, card.milestone, context.milestones));
    case 'blocked':
      return (card) => card.blocked === (value === 'true');
    case 'estimate':
    case 'remaining':
      return (card) => lower.some((choice) => isNumber(choice, card[field]));
    case 'claimed':
      return (card) => lower.some((choice) => isClaimed(choice, card, context.me));
    case 'due':
      return (card) => lower.some((choice) => isDay(choice, card.due, dayNumber));
    case 'created':
      return (card) => lower.some((choice) => isTime(choice, card.createdAt));
    case 'updated':
      return (card) => lower.some((choice) => isTime(choice, card.updatedAt));
    case 'title':
      return (card) =>
        choicesOf(value).some((choice) =>
          choice.split(/\s+/).every((word) => folded(card.title).includes(folded(word))),
        );
    case 'parent':
      return (card) =>
        lower.some((choice) => (choice === 'none' ? !card.parent : card.parent?.toLowerCase() === choice));
  }
}

function isPerson(choice: string, person: Card['assignee'], me: string): boolean {
  if (choice === 'none') return !person;
  if (choice === 'any') return Boolean(person);
  if (choice === '@me') return person?.id === me;
  return person ? isCalled(choice, person.id, person.name) : false;
}

/** By id, by name, or by a word of the name. */
function isCalled(choice: string, id: string, name: string): boolean {
  if (id === choice) return true;
  const wanted = folded(choice);
  const known = folded(name);
  return known === wanted || known.split(/\s+/).includes(wanted);
}

/** A sprint or a milestone, by id or by name. */
function isOne(
  choice: string,
  held: string | null | undefined,
  ids: Known['sprints'],
  current?: string,
): boolean {
  if (choice === 'none') return !held;
  if (choice === 'any') return Boolean(held);
  if (!held) return false;
  if (choice === 'current') return held === current;
  return held === choice || held === ids?.get(folded(choice));
}

function isClaimed(choice: string, card: Card, me: string): boolean {
  const { claim } = card;
  if (choice === 'none') return !claim || claim.stale;
  if (choice === 'any') return Boolean(claim && !claim.stale);
  if (choice === '@agent') return claim?.agent ?? false;
  if (choice === '@me') return claim?.holder === me;
  return claim ? isCalled(choice, claim.holder, claim.holderName) : false;
}

function isNumber(choice: string, held: number | null | undefined): boolean {
  if (choice === 'none') return held === null || held === undefined;
  if (choice === 'any') return held !== null && held !== undefined;
  return held !== null && held !== undefined && compares(held, choice, Number);
}

function isDay(choice: string, held: string | null | undefined, read: ReadDay): boolean {
  if (choice === 'none') return !held;
  const day = held ? read(held) : undefined;
  if (day === undefined) return false;
  if (choice === 'any') return true;
  return compares(day, choice, (text) => read(text) ?? Number.NaN);
}

/** Whether a time is on such a day, where the person who looks is. */
function isTime(choice: string, held: string): boolean {
  if (choice === 'none' || choice === 'any') return choice === 'any';
  return compares(dayNumberOf(held), ofAge(choice), (text) => pastDayNumber(text) ?? Number.NaN);
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

/** The choices of a value without their quotes, in which a comma is part of a name. */
export function choicesOf(value: string): string[] {
  const choices = value.match(/(?:^|,)(?:"[^"]*"?|[^",])*/g) ?? [];
  return choices.map((choice) => choice.replace(/^,/, '').replaceAll('"', ''));
}

/** The labels of each choice: several where a plus joins them outside of quotes. */
function labelsOf(value: string): string[][] {
  const choices: string[][] = [[]];
  for (const part of value.match(/"[^"]*"?|[,+]|[^",+]+/g) ?? []) {
    if (part === ',') choices.push([]);
    else if (part !== '+') choices.at(-1)?.push(part.replaceAll('"', ''));
  }
  return choices;
}

/** A value as a filter takes it: in quotes where it has spaces. */
export function quoted(value: string): string {
  return /[\s,+()]/.test(value) ? `"${value}"` : value;
}

/** A person, sprint or milestone as a filter names it. */
export function referTo({ id, name }: { id: string; name: string }): string {
  return name.includes('"') ? id : quotedName(name);
}

/** A name as a filter takes it: in quotes where it could be read as something else. */
export function quotedName(name: string): string {
  return KEYWORD.test(name) || /[\s,()+<>=:-]/.test(name) ? `"${name}"` : name;
}
