import { messages } from '@/strings/messages';

export const t = messages({
  week: 'Week from',
  throughput: 'Items created and finished, week by week',
  created: 'Created',
  finished: 'Finished',
  burnup: 'All items and how many of them were done, at the end of each week',
  scope: 'All items',
  done: 'Done',
});
