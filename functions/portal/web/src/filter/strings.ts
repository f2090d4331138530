import { messages } from '@/strings/messages';

export const t = messages({
  filter: 'Filter',
  placeholder: 'Filter: state:active, due:friday, or words',
  remove: 'Remove {term}',
  edit: 'Edit:',
  clear: 'Clear the filter',
  add: 'Filter',
  addTip: 'Add a filter',
  back: 'All fields',
  not: 'not {name}',
  or: '{some} or {last}',
  wrong:
    '{n, plural, one {A term of the filter is wrong, so nothing is shown.} other {# terms of the filter are wrong, so nothing is shown.}}',
});
