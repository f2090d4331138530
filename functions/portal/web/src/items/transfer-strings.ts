import { messages } from '@/strings/messages';

export const t = messages({
  transfer: 'Move to another project…',
  title: 'Move {key} to another project',
  detail:
    'It gets a new key there, and its old key leads to it. Comments, files, history, runs, links and watchers go along. Its state is the one of the same name, or the nearest.',
  drops: 'Sprint and parent are dropped, and the assignee where they do not see the project.',
  project: 'Project',
  cancel: 'Cancel',
  move: 'Move',
  done: '{key} is now {to}',
  subtask: 'A subtask belongs to its parent. Change its type first.',
  parent: 'Other items belong to it. Move those out first.',
  liveRun: 'A run works on it. Wait for its end, or cancel it.',
  claimed: '{name} works on it.',
});
