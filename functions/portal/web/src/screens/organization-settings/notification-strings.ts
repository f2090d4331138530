import { messages } from '@/strings/messages';

export const t = messages({
  defaults: 'Notification defaults',
  defaultsAbout:
    'What members are told who chose nothing themselves. Where nothing is set, mail is as usual and chats follow it.',
  noDefault: 'Not set',
  channels: 'Channels',
  channelsAbout:
    'Chats that are told of what happens in the organization. They carry only what each of their readers may see: no comments, no reasons of failures.',
  mailOff: 'This instance sends no mail. Its operator turns it on with the settings Mail:Host and Mail:From.',
  mailFails:
    'Mail has not been sent since {since}: {why}. The operator of this instance finds out more with svc-server mail-test.',
  noChannel: 'No chat is connected yet.',
  newChannel: 'New channel',
  platform: 'Where',
  name: 'Name',
  nameHint: 'As people call it, such as #builds.',
  modes: 'When {name} is told',
});
