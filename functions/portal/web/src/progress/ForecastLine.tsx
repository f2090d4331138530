import { forecastOf, inFull, wholeWeeks } from './forecasts';
import { t } from './strings';

/** When what is left may be done, and what that is based on. */
export function ForecastLine({ left, weekly }: { left: number; weekly: readonly number[] }) {
  const whole = wholeWeeks(weekly);
  return (
    <p>
      {inFull(forecastOf(left, weekly))}{' '}
      <span className="meta">
        {t('from', { n: whole.length, done: whole.reduce((sum, week) => sum + week, 0) })}
      </span>
    </p>
  );
}
