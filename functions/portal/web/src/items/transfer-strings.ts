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
  done: '{n, plural, =0 {{key} is now {to}} one {{key} is now {to}, with its subtask} other {{key} is now {to}, with its # subtasks}}',
  along:
    '{n, plural, one {Its subtask {keys} goes along and gets a new key, too.} other {Its # subtasks {keys} go along and get new keys, too.}}',
  subtask: 'A subtask belongs to its parent. Change its type first.',
  noSubtask: '{key} belongs to it and is no subtask. Move that out of it first.',
  tooMany: 'It has {n} subtasks, and at most {most} go along. Move some out of it first.',
  subtaskRuns: 'A run works on its subtask {key}. Wait for its end, or cancel it.',
  subtaskClaimed: '{name} works on its subtask {key}.',
  liveRun: 'A run works on it. Wait for its end, or cancel it.',
  claimed: '{name} works on it.',
});
