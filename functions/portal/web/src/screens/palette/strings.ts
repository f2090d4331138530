import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Commands and search',
  placeholder: 'Type a command, an item or a name…',
  commands: 'Commands',
  items: 'Items',
  recent: 'Recently viewed',
  found: 'Found by the service',
  projects: 'Projects',
  people: 'People',
  searchFor: 'Search everywhere for "{query}"',
  nothing: 'Nothing matches. Press Enter on "Search everywhere" to look in comments and pages too.',
});
