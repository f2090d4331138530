import { messages } from '@/strings/messages';

/** How far something is, and when it will be done. */
export const t = messages({
  progress: '{done} of {n} done',
  counts: '{open} open · {active} active · {done} done',
  noItems: 'No items yet',
  forecast: 'Done about {likely}, by {safe} at the latest in 85 of 100 cases',
  forecastShort: 'About {likely} to {safe}',
  forecastSame: 'About {likely}',
  allDone: 'All done',
  noForecast: 'No forecast: nothing was finished in the last weeks, or it would take more than two years',
  noForecastShort: 'No forecast yet',
  from: 'Drawn from {n, plural, one {the last whole week} other {the last # whole weeks}}: {done} finished',
  perWeek: '{n} a week',
});
