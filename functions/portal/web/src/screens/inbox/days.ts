/** Entries by the day of their last news, newest first; days are those of the viewer. Pure. */
import type { Notification } from '@/api/types';

const format = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

export function byDayOf(entries: readonly Notification[], now: number) {
  const today = new Date(now).toDateString();
  const yesterday = new Date(now - 86_400_000).toDateString();
  const days: { day: string; entries: Notification[] }[] = [];
  for (const entry of entries) {
    const at = new Date(entry.at);
    const date = at.toDateString();
    const day = date === today ? 'Today' : date === yesterday ? 'Yesterday' : format.format(at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
