import { messages } from '@/strings/messages';

export const t = messages({
  loading: 'Loading',
  save: 'Save',
  saved: 'Saved.',
  cancel: 'Cancel',
  section_general: 'General',
  section_members: 'Members',
  section_teams: 'Teams',
  section_workflow: 'Workflow',
  section_labels: 'Labels',
  section_templates: 'Templates',
  section_refinement: 'Refinement',
  section_factory: 'Factory',
  section_invitations: 'Invitations',
  'section_code-hosting': 'Code hosting',
  section_profile: 'Profile',
  section_organizations: 'Organizations',
  section_tokens: 'Access tokens',
  section_sessions: 'Sessions',
  section_appearance: 'Appearance',
});
