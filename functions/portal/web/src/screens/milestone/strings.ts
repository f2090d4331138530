import { messages } from '@/strings/messages';

export const t = messages({
  loading: 'Loading the milestone',
  milestones: 'Milestones',
  change: 'Change',
  progress: 'Progress',
  due: 'Due {day}',
  noDue: 'No due day',
  closed: 'closed',
  late: 'It may not be done by its due day, {day}.',
  burnup: 'Burn-up',
  items: 'Items',
  inList: 'Open in the list',
  empty: 'No items yet.',
});
