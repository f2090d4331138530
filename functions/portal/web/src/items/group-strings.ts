import { messages } from '@/strings/messages';

export const t = messages({
  none: 'None',
  state: 'State',
  assignee: 'Assignee',
  priority: 'Priority',
  type: 'Type',
  label: 'Label',
  sprint: 'Sprint',
  milestone: 'Milestone',
  parent: 'Parent',
  epic: 'Epic',
  agent: 'Agent',
  nobody: 'Nobody',
  noLabel: 'No label',
  noSprint: 'No sprint',
  noMilestone: 'No milestone',
  noParent: 'No parent',
  noEpic: 'No epic',
  noAgent: 'No agent',
});
