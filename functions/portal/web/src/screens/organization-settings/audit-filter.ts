/** What the address asks of the audit log: `what`, `by`, and the days `from` and `to`. */
import type { AuditFilter } from '@/data/audit';
import { dayNumber, LENGTH } from '@/lib/days';
import { actionsOf } from './audit-words';

export type AuditSearch = Partial<Record<string, string>>;

/** As the service is asked. Days are those of the person who looks, the last one included; what is no day is left out. */
export function filterOf({ what, by, from, to }: AuditSearch): AuditFilter {
  return {
    action: actionsOf(what)?.join(),
    by: by || undefined,
    since: beginOf(dayIn(from)),
    until: beginOf(dayIn(to), 1),
  };
}

/** A day of the address, as it is written; nothing for what is none. */
export function dayIn(text: string | undefined): string | undefined {
  return text && /^\d/.test(text) && dayNumber(text) !== undefined ? text : undefined;
}

/** The first moment of a day, or of one after it, where the person is. */
function beginOf(day: string | undefined, after = 0): string | undefined {
  if (day === undefined) return undefined;
  const later = new Date(Date.parse(day) + after * LENGTH).toISOString().slice(0, 10);
  return new Date(`${later}T00:00:00`).toISOString();
}
