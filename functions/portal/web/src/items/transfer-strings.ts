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
  done: '{n, plural, =0 {{key} is now {to}} one {{key} is now {to}, with what belongs to it} other {{key} is now {to}, with # items that belong to it}}',
  along:
    '{n, plural, one {Its subtask {keys} goes along and gets a new key, too.} other {Its # subtasks {keys} go along and get new keys, too.}}',
  alongMany: 'Its {n} subtasks go along and get new keys, too.',
  withChildren: 'Move its children along',
  withChildrenHint:
    '{n, plural, one {{keys} belongs to it and goes along with all below it.} other {# items belong to it and go along with all below them.}} Otherwise they stay, without a parent.',
  subtask: 'A subtask belongs to its parent. Change its type first.',
  subtaskRuns: 'A run works on its subtask {key}. Wait for its end, or cancel it.',
  subtaskClaimed: '{name} works on its subtask {key}.',
  liveRun: 'A run works on it. Wait for its end, or cancel it.',
  claimed: '{name} works on it.',
});
