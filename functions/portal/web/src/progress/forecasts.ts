/** Forecasts in words. */
import { dayAfter, type Forecast, forecast } from '@/lib/forecast';
import { dayOf, serverNow } from '@/lib/times';
import { t } from './strings';

/** The last entry of a list of weeks is this one, which is not over: it says nothing of a whole one. */
export function wholeWeeks(weekly: readonly number[]): readonly number[] {
  return weekly.slice(0, -1);
}

export function forecastOf(left: number, weekly: readonly number[]): Forecast | undefined {
  return forecast(left, wholeWeeks(weekly));
}

/** In a few words, for cards and rows. */
export function inShort(found: Forecast | undefined, now = serverNow()): string {
  if (!found) return t('noForecastShort');
  if (found.safe === 0) return t('allDone');
  const [likely, safe] = [dayOf(dayAfter(found.likely, now), now), dayOf(dayAfter(found.safe, now), now)];
  return likely === safe ? t('forecastSame', { likely }) : t('forecastShort', { likely, safe });
}

/** In a sentence. */
export function inFull(found: Forecast | undefined, now = serverNow()): string {
  if (!found) return t('noForecast');
  if (found.safe === 0) return t('allDone');
  return t('forecast', {
    likely: dayOf(dayAfter(found.likely, now), now),
    safe: dayOf(dayAfter(found.safe, now), now),
  });
}
