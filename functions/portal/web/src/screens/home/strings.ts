import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Home',
  hello: '{hour, select, morning {Good morning} noon {Good afternoon} other {Good evening}}, {name}',
  claimed: 'Claimed by me',
  assigned: 'Assigned to me',
  recent: 'Recently viewed',
  needsYou: 'Needs you',
  reviews: 'Review: {title}',
  allInFactory: 'All of it in the Factory',
  loading: 'Loading your work',
  empty: 'Nothing waits for you.',
  emptyDetail: 'Items that are assigned to you or claimed by you are listed here.',
  toProjects: 'Go to projects',
});
