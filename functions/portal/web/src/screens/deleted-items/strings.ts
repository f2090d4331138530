import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Deleted items',
  loading: 'Loading deleted items',
  about:
    'The items that you can bring back. A deleted item is kept for 30 days, with its comments, files and history.',
  empty: 'There is no deleted item that you can bring back.',
  deletedBy: 'Deleted by {name}',
  until: 'Until {day}',
});
