import { messages } from '@/strings/messages';

export const t = messages({
  title: 'New item in {project}',
  name: 'Title',
  placeholder: 'What needs to be done?',
  description: 'Description',
  type: 'Type',
  template: 'Template',
  noTemplate: 'No template',
  state: 'State',
  priority: 'Priority',
  assignee: 'Assignee',
  nobody: 'Nobody',
  me: '{name} (you)',
  labels: 'Labels',
  labelsHint: 'Separated by commas',
  create: 'Create',
  another: 'Create another',
  start: 'Create and start',
  created: '{key} created',
  open: 'Open',
  need: 'Write a title first.',
});
