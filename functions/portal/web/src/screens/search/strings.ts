import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Search',
  label: 'Search items, comments, pages, projects and people',
  placeholder: 'Words, a "phrase", a key or a number',
  types: 'What to look for',
  all: 'Everything',
  items: 'Items',
  comments: 'Comments',
  pages: 'Pages',
  projects: 'Projects',
  people: 'People',
  start: 'Type to search.',
  startDetail: 'Items, comments and pages of the projects that you are in.',
  none: 'Nothing matches "{q}".',
  noneDetail: 'Try fewer words, or another kind.',
  first: 'The first {n} results. Add words to find fewer.',
  allItems:
    '{n, plural, one {1 item has} other {# items have}} these words in the key, the title or the labels: show all',
  found: '{n, plural, one {# result} other {# results}}',
  searching: 'Searching',
  commentBy: 'Comment by {name}',
});
