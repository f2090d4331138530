import { messages } from '@/strings/messages';

export const t = messages({
  preferences: 'What you are told',
  preferencesAbout:
    'You are never told of what you did yourself. Mail goes to {email}; once a day means one message with everything.',
  usual: 'Default: {mode}',
  channels: 'Your channels',
  channelsAbout: 'Connect a chat to be told there, too. It then has a column above.',

  digest: 'Once a day',
  digestAbout:
    'When the message comes that gathers everything of a day. It is not sent where nothing happened.',
  hour: 'Hour',
  zone: 'Time zone',
  zoneHint: 'Such as Europe/Berlin.',
  useZone: 'Use {zone}, as this browser',
  mutes: 'Muted',
  mutesAbout:
    'You hear nothing of these. An agent that is muted still reaches you when it needs you or fails.',
  noMute: 'Nothing is muted. Items, projects and agents are muted from their menus.',
  unmute: 'Hear of it again',
  anAgent: 'An agent',
  what_item: 'Item',
  what_project: 'Project',
  what_agent: 'Agent',
});
