import { data, http } from '@/api/client';
import { act } from '@/data/act';
import { plain } from '@/lib/text';
import { toast } from '@/ui/toasts';
import { t } from './strings';

/** Lists that a project, its items and its runs are in. */
export const listsOf = (slug: string) => [
  ['projects', slug],
  ['project', slug],
  ['can', slug],
  ['work', slug],
  ['runs', slug],
  ['budgets', slug],
];

/** Restores a deleted project with everything in it. A refusal is shown in a corner. */
export async function restoreProject(slug: string, key: string, name: string): Promise<void> {
  const params = { path: { slug, key } };
  const send = () => data(http.POST('/api/v1/orgs/{slug}/projects/{key}/restore', { params }));
  if (await act(send, ...listsOf(slug))) toast(t('restored', { name: plain(name) }));
}
