import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Projects',
  new: 'New project',
  empty: 'There is no project yet.',
  emptyGuest: 'You are in no project yet. Ask an Admin to add you to one.',
  archived: 'Archived',
  archivedChip: 'archived',
  showArchived: 'Show archived projects',
  star: 'Star {project}',
  unstar: 'Remove the star of {project}',
  loading: 'Loading projects',
  people: 'People',
  agents: 'Agents',
  overview: 'Overview',
  roadmap: 'Roadmap',
  name: 'Name',
  key: 'Key',
  keyHint: 'Items are called {key}-1, {key}-2 and so on. It cannot be changed later.',
  description: 'What it is about',
  create: 'Create project',
  cancel: 'Cancel',
});
