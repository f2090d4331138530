/** What the audit log's actions are called, and which of them belong together. */

/** Actions that are asked for together. */
export const AUDIT_GROUPS = {
  people: [
    'memberAdded',
    'memberChanged',
    'memberRenamed',
    'memberRemoved',
    'projectMemberSet',
    'projectMemberRemoved',
    'pageAccessChanged',
    'invitationSent',
    'invitationRevoked',
    'invitationAccepted',
    'tokenCreated',
    'tokenRevoked',
  ],
  runs: ['runStarted', 'runCancelled'],
  machines: ['runnerRegistered', 'runnerChanged', 'runnerSecretRotated', 'runnerRemoved'],
  deletions: [
    'orgDeleted',
    'projectDeleted',
    'projectPurged',
    'itemDeleted',
    'commentDeleted',
    'pageDeleted',
    'sprintDeleted',
    'labelDeleted',
    'teamDeleted',
    'agentDeleted',
    'playbookDeleted',
    'ruleDeleted',
    'scheduleDeleted',
    'channelDeleted',
    'webhookDeleted',
    'outboundWebhookDeleted',
  ],
} as const;

export type AuditGroup = keyof typeof AUDIT_GROUPS;

/** An action in words: `memberAdded` is "Member added". */
export function actionName(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const known: Record<string, string> = { 'org ': 'organization ', 'outbound webhook ': 'webhook ' };
  const start = Object.keys(known).find((prefix) => words.startsWith(prefix));
  const said = start ? `${known[start]}${words.slice(start.length)}` : words;
  return said.charAt(0).toUpperCase() + said.slice(1);
}
