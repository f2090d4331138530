import { messages } from '@/strings/messages';

export const t = messages({
  defaults: 'Defaults for members',
  defaultsAbout:
    'What members are told who chose nothing themselves. Where nothing is set, mail is as usual and chats follow it.',
  noDefault: 'Not set',
  channels: 'Channels',
  channelsAbout:
    'Chats that are told of what happens in the organization. They carry only what each of their readers may see: no comments, no reasons of failures.',
  noChannel: 'No chat is connected yet.',
  newChannel: 'New channel',
  platform: 'Where',
  name: 'Name',
  nameHint: 'As people call it, such as #builds.',
  modes: 'When {name} is told',
});
