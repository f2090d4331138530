/** Words for kinds of news. */
import type { Kind } from '@/data/notifications';
import { GROUPS, SHARED } from './kinds';
import { t } from './strings';

const KNOWN: ReadonlySet<Kind> = new Set(GROUPS.flatMap(({ kinds }): readonly Kind[] => kinds));
const EVERYBODY: ReadonlySet<Kind> = new Set<Kind>(SHARED);

/** What happens to a person. A kind of a later service is called by its own name. */
export function kindName(kind: Kind): string {
  return KNOWN.has(kind) ? t(`kind_${kind}` as 'kind_assigned') : inWords(kind);
}

/** What happens in an organization. */
export function sharedName(kind: Kind): string {
  return EVERYBODY.has(kind) ? t(`all_${kind}` as 'all_runFailed') : inWords(kind);
}

function inWords(kind: string): string {
  const words = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
