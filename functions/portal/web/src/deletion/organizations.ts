import { data, http } from '@/api/client';
import type { Organization } from '@/api/types';
import { act } from '@/data/act';
import { plain } from '@/lib/text';
import { dismiss, toast } from '@/ui/toasts';
import { t } from './strings';

/** Lists that say which organizations there are. */
export const LISTS_OF_ORGANIZATIONS = [['me'], ['organizations']];

/** Notices of deletions that are shown until somebody takes them away, by slug. */
const notices = new Map<string, number>();

/** Says that an organization was deleted, and how it comes back. */
export function tellDeleted(slug: string, name: string): void {
  const action = { label: t('restore'), run: () => void restoreOrganization(slug, name) };
  const detail = t('whereOrganizations');
  notices.set(slug, toast(t('deleted', { name: plain(name) }), { detail, action, stays: true }));
}

/** Restores a deleted organization with everything in it. A refusal is shown in a corner. */
export async function restoreOrganization(slug: string, name: string): Promise<void> {
  const send = () => data(http.POST('/api/v1/orgs/{slug}/restore', { params: { path: { slug } } }));
  if (!(await act(send, ...LISTS_OF_ORGANIZATIONS))) return;
  dismiss(notices.get(slug) ?? 0);
  toast(t('restored', { name: plain(name) }));
}

/** Pure: where to go when an organization is deleted: to another one of theirs, or to the page for who has none. */
export function placeWithout(slug: string, organizations: readonly Pick<Organization, 'slug'>[]): string {
  const other = organizations.find((organization) => organization.slug !== slug);
  return other ? `/o/${other.slug}` : '/new-organization';
}
