/** Cron expressions as people say them: the usual ones by name, the others as they are written. */
import { t } from './strings';

export const RHYTHMS = ['daily', 'weekdays', 'weekly', 'monthly', 'custom'] as const;

/** How often: one of the usual ways at a time of day, or an expression. */
export interface Rhythm {
  kind: (typeof RHYTHMS)[number];
  /** "06:00". */
  time: string;
  /** 0 is Sunday. */
  weekday: number;
  /** 1 to 31. */
  day: number;
  /** Five fields, for the kind `custom`. */
  expression: string;
}

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

export const EVERY_MONDAY: Rhythm = {
  kind: 'weekly',
  time: '06:00',
  weekday: 1,
  day: 1,
  expression: '0 6 * * MON',
};

/** The names of the days of the week, Sunday first. */
export const WEEKDAYS = DAYS.map((_, day) =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 1, 1 + day)),
);

/** What an expression means, `custom` where it is none of the usual ways. */
export function rhythmOf(expression: string): Rhythm {
  const fields = expression.trim().toUpperCase().split(/\s+/);
  const custom: Rhythm = { ...EVERY_MONDAY, kind: 'custom', expression };
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  if (fields.length !== 5 || month !== '*' || !within(minute, 59) || !within(hour, 23)) return custom;
  const at: Rhythm = { ...custom, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` };
  if (day === '*' && weekday === '*') return { ...at, kind: 'daily' };
  if (day === '*' && /^(MON-FRI|1-5)$/.test(weekday)) return { ...at, kind: 'weekdays' };
  const named = DAYS.indexOf(weekday);
  if (day === '*' && named >= 0) return { ...at, kind: 'weekly', weekday: named };
  if (day === '*' && within(weekday, 7)) return { ...at, kind: 'weekly', weekday: Number(weekday) % 7 };
  if (within(day, 31) && day !== '0' && weekday === '*') return { ...at, kind: 'monthly', day: Number(day) };
  return custom;
}

function within(field: string, most: number): boolean {
  return /^\d{1,2}$/.test(field) && Number(field) <= most;
}

/** The expression of a rhythm. */
export function expressionOf({ kind, time, weekday, day, expression }: Rhythm): string {
  if (kind === 'custom') return expression.trim();
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute ?? 0} ${hour ?? 0}`;
  switch (kind) {
    case 'daily':
      return `${at} * * *`;
    case 'weekdays':
      return `${at} * * MON-FRI`;
    case 'weekly':
      return `${at} * * ${DAYS[weekday] ?? 'MON'}`;
    case 'monthly':
      return `${at} ${day} * *`;
  }
}

/** An expression as a sentence: "Every Monday at 06:00". */
export function spoken(cron: string): string {
  const { kind, time, weekday, day } = rhythmOf(cron);
  switch (kind) {
    case 'daily':
      return t('everyDay', { time });
    case 'weekdays':
      return t('everyWeekday', { time });
    case 'weekly':
      return t('everyWeek', { time, day: WEEKDAYS[weekday] ?? '' });
    case 'monthly':
      return t('everyMonth', { time, day });
    case 'custom':
      return t('asWritten', { cron: cron.trim() });
  }
}

const zoned = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  });

/** A moment by the clocks of a zone: "Mon, 23 Nov, 06:00". In UTC where the browser does not know the zone. */
export function inZone(iso: string, timeZone: string): string {
  try {
    return zoned(timeZone).format(Date.parse(iso));
  } catch {
    return `${zoned('UTC').format(Date.parse(iso))} UTC`;
  }
}
