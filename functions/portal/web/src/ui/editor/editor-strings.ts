import { messages } from '@/strings/messages';

export const t = messages({
  toolbar: 'Format',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  code: 'Code',
  link: 'Link',
  heading: 'Heading',
  subheading: 'Smaller heading',
  list: 'List',
  numbers: 'Numbered list',
  tasks: 'Checklist',
  quote: 'Quote',
  block: 'Code block',
  table: 'Table',
  rule: 'Divider',
  mention: 'Mention somebody',
  item: 'Link an item',
  attach: 'Attach files',
});
