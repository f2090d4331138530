import { messages } from '@/strings/messages';

/** How far something is, and when it will be done. */
export const t = messages({
  progress: '{done} of {n} done',
  counts: '{open} open · {active} active · {done} done',
  noItems: 'No items yet',
  forecast: 'Likely done around {likely}, and by {safe} in 85 of 100 cases.',
  forecastShort: 'About {likely} to {safe}',
  forecastSame: 'About {likely}',
  allDone: 'All done',
  noForecast: 'No forecast yet: too few items were finished lately.',
  noForecastShort: 'No forecast yet',
  from: 'Based on {n, plural, one {the last whole week} other {the last # whole weeks}}, with {done, plural, one {1 item} other {# items}} finished.',
});
