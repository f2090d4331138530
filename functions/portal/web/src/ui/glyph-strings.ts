import { messages } from '@/strings/messages';

export const t = messages({
  priority: 'Priority: {name}',
  story: 'Story',
  bug: 'Bug',
  task: 'Task',
  epic: 'Epic',
  subtask: 'Subtask',
  lowest: 'Lowest',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  highest: 'Highest',
});
