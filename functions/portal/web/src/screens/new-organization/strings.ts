import { messages } from '@/strings/messages';

export const t = messages({
  title: 'New organization',
  lead: 'People, projects and agents of one organization see nothing of another.',
  first: 'You are in no organization. Make one, or open the link of an invitation.',
  name: 'Name',
  slug: 'Address',
  slugHint: 'Part of every address: /o/{slug}',
  create: 'Create organization',
});
