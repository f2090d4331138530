import { act } from '@/data/act';
import { restorePlaybook } from '@/data/factory';
import { t } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { toast } from '@/ui/toasts';

/** Lists that a playbook and the page of its instructions are in. */
export const listsOf = (slug: string, project: string) => [
  ['playbooks', slug, project],
  ['factory-settings', slug, project],
  ['wiki', slug, project],
];

/** Restores a deleted playbook with its page. A refusal is shown in a corner. */
export async function restore(
  slug: string,
  project: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const done = await act(() => restorePlaybook(slug, project, id), ...listsOf(slug, project));
  if (done) toast(t('restored', { name: plain(name) }));
}
