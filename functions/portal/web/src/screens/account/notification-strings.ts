import { messages } from '@/strings/messages';

export const t = messages({
  preferences: 'What you are told',
  preferencesAbout:
    'You are never told of what you did yourself. Mail goes to {email}; once a day means one message with everything.',
  preferencesAlone: 'You are never told of what you did yourself. Mail does not get to you.',
  usual: 'Default: {mode}',
  channels: 'Your channels',
  channelsAbout: 'Connect a chat to be told there, too. It then has a column above.',

  browsers: 'Browsers',
  browsersAbout:
    'A browser tells you also while this page is closed. It is turned on in each browser by itself, and off when you sign out there.',
  noBrowser: 'No browser tells you yet.',
  turnOn: 'Turn on in this browser',
  browserOn: 'This browser tells you from now on.',
  browserFailed:
    'It is off: this browser could not subscribe. Its push service may be turned off or out of reach.',
  browserSilent:
    'It is off: the push service of this browser did not answer. Look whether a firewall or a setting of the browser blocks it, then try again.',
  browser_unsupported: 'This browser cannot show notifications.',
  browser_install: 'On this device, add the page to your home screen first, and open it from there.',
  browser_denied:
    'Notifications are blocked for this page. Allow them in the settings of the browser, then come back.',
  browser_none: 'This service has no key to send to browsers with. Its operator can set one under [Secrets].',
  thisBrowser: 'This browser',
  turnOff: 'Turn off',
  turnOffTitle: 'Turn off {name}?',
  turnOffDetail: 'It tells you nothing any more. You can turn it on again there.',

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
