/** The kinds of news, in groups that people know, and the platforms on which they are told. Pure. */
import type { Channel, InForce, Kind, Mode, Platform, Preference } from '@/data/notifications';

export const GROUPS = [
  { id: 'conversation', kinds: ['mentioned', 'replied', 'commented', 'reacted', 'wikiMentioned'] },
  { id: 'items', kinds: ['assigned', 'transitioned', 'claimed'] },
  { id: 'agents', kinds: ['runNeedsInput', 'runFailed', 'runSucceeded', 'runWaiting'] },
  { id: 'team', kinds: ['sprintStarted', 'sprintCompleted', 'inviteAccepted'] },
  {
    id: 'upkeep',
    kinds: ['runnerOffline', 'budgetNearlyUsed', 'schedulePaused', 'channelBroken', 'webhookDisabled'],
  },
] as const satisfies readonly { id: string; kinds: readonly Kind[] }[];

export type KindGroup = (typeof GROUPS)[number]['id'];

/** Kinds that concern a whole organization. */
export const SHARED = [
  'transitioned',
  'sprintStarted',
  'sprintCompleted',
  'runSucceeded',
  'runFailed',
  'runNeedsInput',
] as const satisfies readonly Kind[];

/** Platforms on which people are told. */
export const PLATFORMS = ['chat_1', 'chat_2', 'chat_3'] as const satisfies readonly Platform[];
export type OwnPlatform = (typeof PLATFORMS)[number];
/** Platforms on which an organization can have channels. */
export const ORGANIZATION_PLATFORMS = [...PLATFORMS, 'chat_4'] as const satisfies readonly Platform[];
export const MODES = ['immediate', 'digest', 'off'] as const satisfies readonly Mode[];

/** What incoming webhooks usually begin with; the service says what it takes. */
export const WEBHOOKS: Partial<Record<Platform, string>> = {
  chat_2: 'https://hooks.slack.com/services/',
  chat_3: 'https://discord.com/api/webhooks/',
  chat_4: 'https://prod-12.westeurope.logic.azure.com/workflows/',
};

/** Entries under the groups of their kinds. Kinds of a later service come last, in a group of their own. */
export function grouped<Entry extends { kind: Kind }>(
  entries: readonly Entry[],
): { id: KindGroup | 'more'; entries: Entry[] }[] {
  const known = new Set<string>(GROUPS.flatMap(({ kinds }) => [...kinds]));
  const groups: { id: KindGroup | 'more'; entries: Entry[] }[] = GROUPS.map(({ id, kinds }) => ({
    id,
    entries: kinds.flatMap((kind) => entries.filter((entry) => entry.kind === kind)),
  }));
  const more = { id: 'more' as const, entries: entries.filter(({ kind }) => !known.has(kind)) };
  return [...groups, more].filter((group) => group.entries.length > 0);
}

/** When the person would be told if they said nothing of the place, where it is the same in all their organizations. */
export function otherwise(
  inForce: readonly InForce[],
  kind: Kind,
  place: OwnPlatform | 'push',
): Mode | undefined {
  const modes = new Set(inForce.filter((one) => one.kind === kind).map((one) => one[place].otherwise));
  return modes.size === 1 ? [...modes][0] : undefined;
}

/** Platforms that have a place in the matrix: connected ones, and those for which something is set. */
export function columnsOf(
  channels: readonly Pick<Channel, 'type'>[],
  entries: readonly Pick<Preference, OwnPlatform>[],
): OwnPlatform[] {
  return PLATFORMS.filter(
    (platform) =>
      channels.some(({ type }) => type === platform) ||
      entries.some((entry) => (entry[platform] ?? null) !== null),
  );
}
