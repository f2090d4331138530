/** What the inbox shows of its entries, and in which order. Pure. */
import type { Notification, Organization } from '@/api/types';
import { byDayOf } from './days';

export interface Group {
  /** Nothing for those that wait for the person. */
  day?: string;
  entries: Notification[];
}

/** What waits for the person first, then the rest by the day of its last news. */
export function grouped(entries: readonly Notification[], now: number): Group[] {
  const waiting = entries.filter(({ needsYou }) => needsYou);
  const days = byDayOf(
    entries.filter(({ needsYou }) => !needsYou),
    now,
  );
  return waiting.length > 0 ? [{ entries: waiting }, ...days] : days;
}

/** Where an entry leads: its run for who operates the factory, its item for everyone else. */
export function hrefOf(entry: Notification, organizations: readonly Organization[]): string {
  const { organization: slug, project, itemKey, runId, sprintId, page, kind } = entry;
  const operates = organizations.some((one) => one.slug === slug && one.canOperateFactory);
  const within = `/o/${slug}/p/${project}`;
  if (itemKey && kind === 'runNeedsInput' && operates) return `${within}/items/${itemKey}/refine`;
  if (runId && operates) return `/o/${slug}/factory/runs/${runId}`;
  if (itemKey) return `${within}/items/${itemKey}`;
  if (sprintId)
    return `${within}/sprints/${sprintId}/${kind === 'sprintCompleted' ? 'burndown' : 'taskboard'}`;
  if (kind === 'runnerOffline') return `/o/${slug}/factory/runners`;
  if (kind === 'budgetNearlyUsed') return `/o/${slug}/factory/budgets`;
  if (kind === 'schedulePaused') return `/o/${slug}/factory/schedules`;
  if (kind === 'channelBroken') return '/settings/notifications';
  if (page) return `${within}/wiki/${page.split('/').map(encodeURIComponent).join('/')}`;
  return `/o/${slug}/settings/${kind === 'webhookDisabled' ? 'webhooks' : 'members'}`;
}
