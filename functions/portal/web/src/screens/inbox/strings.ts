import { messages } from '@/strings/messages';

export const t = messages({
  inbox: 'Inbox',
  loading: 'Loading',
  needsYou: 'Needs you',
  none: 'You are up to date',
  noneHint: 'What happens to items that you watch, and what agents need of you, appears here.',
  done: 'Mark as done',
  allDone: 'Mark all as done',
  read: 'Mark as read',
  unread: 'Mark as unread',
  next: 'Next entry',
  previous: 'Previous entry',
  open: 'Open the entry',
  isUnread: 'Unread',
  mute: 'Mute…',
  settings: 'Choose what you are told',
});
