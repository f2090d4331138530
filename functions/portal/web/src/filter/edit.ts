/** Changing a filter by its terms. Pure. */
import { split } from './language';

/** The choices of a field's plain term, as they are written. */
export function chosen(filter: string, field: string): string[] {
  const term = split(filter).find((one) => one.toLowerCase().startsWith(`${field}:`));
  return term ? writtenChoices(term.slice(field.length + 1)) : [];
}

/** The filter with a choice more in the field's term, or without it; a term without choices goes. */
export function toggled(filter: string, field: string, choice: string): string {
  const before = chosen(filter, field);
  const has = before.some((one) => one.toLowerCase() === choice.toLowerCase());
  const after = has
    ? before.filter((one) => one.toLowerCase() !== choice.toLowerCase())
    : [...before, choice];
  const term = after.length > 0 ? [`${field}:${after.join(',')}`] : [];
  const terms = split(filter);
  const at = terms.findIndex((one) => one.toLowerCase().startsWith(`${field}:`));
  if (at < 0) return [...terms, ...term].join(' ');
  return [...terms.slice(0, at), ...term, ...terms.slice(at + 1)].join(' ');
}

function writtenChoices(value: string): string[] {
  return value.match(/(?:"[^"]*"?|[^",])+/g) ?? [];
}
