import { messages } from '@/strings/messages';

export const t = messages({
  title: 'New organization',
  lead: 'Organizations are separate: their people, projects and agents cannot see each other.',
  first: 'You are in no organization. Create one, or open an invitation link.',
  name: 'Name',
  slug: 'Address',
  slugHint: 'Part of every address: /o/{slug}',
  create: 'Create organization',
});
