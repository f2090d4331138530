/** What the audit log's actions are called, and which of them belong together. */
import type { AuditEntry } from '@/data/audit';

/** Actions that are asked for together, by what they were done to. What is deleted can be asked for by itself. */
export const AUDIT_KINDS = {
  people: [
    'memberAdded',
    'memberChanged',
    'memberRenamed',
    'memberRemoved',
    'groupRolesChanged',
    'projectMemberSet',
    'projectMemberRemoved',
    'pageAccessChanged',
    'invitationSent',
    'invitationRevoked',
    'invitationAccepted',
    'accountDisabled',
    'accountEnabled',
    'accountSignedOut',
    'passwordLinkMade',
  ],
  tokens: ['tokenCreated', 'tokenRevoked'],
  organization: [
    'orgCreated',
    'orgRenamed',
    'orgReadOnlySet',
    'orgDeleted',
    'orgRestored',
    'budgetsChanged',
    'planSet',
    'messagesReplayed',
    'mailTested',
  ],
  projects: [
    'projectCreated',
    'projectChanged',
    'projectArchiveSet',
    'projectDeleted',
    'projectRestored',
    'projectPurged',
    'workflowChanged',
    'labelDeleted',
    'milestoneDeleted',
    'templateDeleted',
    'viewDeleted',
    'teamCreated',
    'teamChanged',
    'teamDeleted',
    'sprintDeleted',
    'factorySettingsChanged',
    'refinementSettingsChanged',
  ],
  items: ['itemDeleted', 'itemRestored', 'commentDeleted', 'pageDeleted', 'pageRestored'],
  runs: ['runStarted', 'runCancelled'],
  agents: [
    'agentCreated',
    'agentChanged',
    'agentDeleted',
    'agentRestored',
    'playbookCreated',
    'playbookChanged',
    'playbookDeleted',
    'playbookRestored',
    'ruleCreated',
    'ruleChanged',
    'ruleDeleted',
    'scheduleCreated',
    'scheduleChanged',
    'scheduleDeleted',
  ],
  machines: ['runnerRegistered', 'runnerChanged', 'runnerSecretRotated', 'runnerRemoved'],
  connections: [
    'codeHostConnected',
    'codeHostDisconnected',
    'webhookSet',
    'webhookDeleted',
    'channelCreated',
    'channelChanged',
    'channelDeleted',
    'intakeCreated',
    'intakeChanged',
    'intakeRotated',
    'intakeDeleted',
    'outboundWebhookCreated',
    'outboundWebhookChanged',
    'outboundWebhookSecretRotated',
    'outboundWebhookDeleted',
    'outboundWebhookDisabled',
  ],
} as const satisfies Record<string, readonly string[]>;

export type AuditKind = keyof typeof AUDIT_KINDS | 'deletions';

/** The kinds, in the order of the choice. */
export const KINDS: readonly AuditKind[] = [
  ...(Object.keys(AUDIT_KINDS) as (keyof typeof AUDIT_KINDS)[]),
  'deletions',
];

const ENDINGS = /(?:Deleted|Purged|Removed)$/;

/** The actions of a kind; nothing for a word that is none. */
export function actionsOf(kind: string | undefined): readonly string[] | undefined {
  const named: Record<string, readonly string[]> = AUDIT_KINDS;
  if (kind !== 'deletions') return Object.hasOwn(named, kind ?? '') ? named[kind ?? ''] : undefined;
  const things = Object.entries(AUDIT_KINDS).flatMap(([of, actions]) =>
    of === 'people' ? [] : [...actions],
  );
  return things.filter((action) => ENDINGS.test(action));
}

/** An action in words: `memberAdded` is "Member added". */
export function actionName(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const known: Record<string, string> = { 'org ': 'organization ', 'outbound webhook ': 'webhook ' };
  const start = Object.keys(known).find((prefix) => words.startsWith(prefix));
  const said = start ? `${known[start]}${words.slice(start.length)}` : words;
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Whether somebody did it to themselves, such as accepting an invitation: they are named once. */
export function isOnesOwn({ by, byEmail, name, email }: Partial<AuditEntry>): boolean {
  return by?.name === name && byEmail !== undefined && byEmail === email;
}
