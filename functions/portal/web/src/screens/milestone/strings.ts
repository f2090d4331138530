import { messages } from '@/strings/messages';

export const t = messages({
  loading: 'Loading the milestone',
  milestones: 'Milestones',
  change: 'Change',
  progress: 'Progress',
  due: 'Due {day}',
  noDue: 'No day',
  closed: 'closed',
  late: 'It may be later than its day: it is due {day}.',
  burnup: 'Burn-up',
  burnupSummary: 'Items of the milestone and how many of them were done, in each of the last {n} weeks',
  week: 'Week from',
  scope: 'All items',
  done: 'Done',
  items: 'Items',
  inList: 'Open in the list',
  empty: 'No items belong to it yet.',
});
