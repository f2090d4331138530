/** The days of a sprint, as people read them. */
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** "3 – 16 Nov"; nothing for a sprint without dates. */
export function span(sprint: { start?: string | null; end?: string | null }): string {
  const start = parsed(sprint.start);
  const end = parsed(sprint.end);
  if (start && end) return day.formatRange(start, end);
  return start ? `${day.format(start)} –` : end ? `– ${day.format(end)}` : '';
}

/** A date field's text. The service's days have no zone: noon keeps them on their day everywhere. */
function parsed(date: string | null | undefined): Date | undefined {
  if (!date) return undefined;
  return new Date(`${date.slice(0, 10)}T12:00:00`);
}
