import { messages } from '@/strings/messages';

export const t = messages({
  deletedBy: 'Deleted by {name}',
  until: 'Until {day}',
  restore: 'Restore',
  restoreOne: 'Restore {name}',
  delete: 'Delete',
  deleteEntry: 'Delete…',
  deletePlaybook: 'Delete this playbook',
  deleteTitle: 'Delete {name}?',
  deleted: '{name} deleted',
  restored: '{name} restored',
  agents: 'Deleted agents',
  playbooks: 'Deleted playbooks',
  projects: 'Deleted projects',
  organizations: 'Deleted organizations',
  deleteProject: 'Delete this project',
  aboutProject:
    'Everything in it is out of reach at once: items, sprints, wiki pages, runs and their logs. Runs that are queued or at work are cancelled.',
  aboutProjectLater:
    'It can be restored for 30 days with everything in it, but not its cancelled runs. Then all of it is deleted for good. Its key is never used again.',
  deleteOrganization: 'Delete this organization',
  aboutOrganization:
    'Everything in it is out of reach for everybody at once: projects, items, wiki pages, runs and their logs. Runs that are queued or at work are cancelled.',
  aboutOrganizationLater:
    'An Owner can restore it for 30 days with everything in it, but not its cancelled runs. Then all of it is deleted for good, and its slug is free.',
  whereOrganizations:
    'You can restore it for 30 days: under Organizations in your account settings, or here.',
  ownersRestore: 'One of its Owners can restore it.',
  aboutAgent:
    'It takes no new runs, leaves the lists and frees its name. Queued runs wait until it is restored or they are cancelled; what a runner works on goes on. History, comments and runs keep its name.',
  aboutPlaybook:
    'Nothing new starts with it, and the page of its instructions is deleted with it. Queued and live runs go on with the instructions that they were queued with. Rules and schedules that name it start nothing.',
  aboutPlaybookDefault:
    'It is the default of the project. Whoever names no playbook starts nothing until another one is the default.',
  namedDeleted: '{name} (deleted)',
  someAgent: 'a deleted agent',
  somePlaybook: 'a deleted playbook',
  deletedChip: 'Deleted',
  restorable: 'It can be restored for 30 days.',
});
