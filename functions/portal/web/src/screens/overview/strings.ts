import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Overview',
  progress: 'Progress',
  throughput: 'Finished each week',
  insights: 'All insights',
  milestones: 'Milestones',
  noMilestones: 'No open milestones.',
  roadmap: 'Roadmap',
  due: 'due {day}',
  noDue: 'no due day',
  who: 'People and agents',
  people: 'People',
  agents: 'Agents',
  nobody: 'No people yet',
  noAgents: 'No agents yet',
  lately: 'Changed lately',
  lastChange: 'Last change',
  nothing: 'Nothing has happened yet.',
  loading: 'Loading the overview',
  all: 'All items',
});
