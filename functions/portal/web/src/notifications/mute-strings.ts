import { messages } from '@/strings/messages';

export const t = messages({
  mute_item: 'Mute the item',
  mute_project: 'Mute the project',
  mute_agent: 'Mute the agent, unless it needs me',
  unmute: 'Hear of it again',
  muted: 'You hear nothing of {name} any more.',
  unmuted: 'You hear of {name} again.',
  undo: 'Undo',
});
