import { messages } from '@/strings/messages';

export const t = messages({
  elsewhere: 'Elsewhere in the app',
  inProject: 'In a project',
  everywhere: 'Everywhere',
  onItems: 'On the chosen items of a board or list',
  onBoard: 'On a board',
  inList: 'In a list',
  onItem: 'On an item’s page',
  onRun: 'On a run’s page',
  inLog: 'In a log',
  planning: 'Planning a sprint',
  pages: 'In the wiki and among projects',
  writing: 'While writing',
  startAgent: 'Start an agent',
  refine: 'Refine the item',
  plan: 'Add to the sprint, or take out',
  editPage: 'Edit the page',
  send: 'Send or save',
  leave: 'Stop writing; the text is kept',
  mention: 'Name somebody, or an agent',
  reference: 'Name an item',
});
