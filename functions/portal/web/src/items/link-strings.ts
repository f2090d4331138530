import { messages } from '@/strings/messages';

export const t = messages({
  blockedBy: 'Blocked by',
  blocks: 'Blocks',
  relates: 'Relates to',
  duplicates: 'Duplicates',
  duplicatedBy: 'Duplicated by',
  how: 'How is it linked?',
  which: '{kind}: which item?',
  search: 'Key or words of the title',
  searching: 'Searching…',
  none: 'No item matches.',
  unlinked: '{key} and {item} are no longer linked',
});
