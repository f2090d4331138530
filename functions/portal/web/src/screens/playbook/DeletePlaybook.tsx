import { useNavigate } from '@tanstack/react-router';
import type { Playbook } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { refresh } from '@/data/act';
import { deletePlaybook } from '@/data/factory';
import { DeleteSection } from '@/deletion/DeleteSection';
import { t } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { undoable } from '@/store/undo';
import { listsOf, restore } from '../playbooks/restore';

interface DeletePlaybookProps {
  slug: string;
  project: string;
  playbook: Playbook;
}

/** Deletes a playbook after its name was typed, and leads back to the list, where it can be restored. */
export function DeletePlaybook({ slug, project, playbook }: DeletePlaybookProps) {
  const { configure, frozen } = useItemAccess(slug, project);
  const navigate = useNavigate();
  if (!configure) return null;
  const name = plain(playbook.name);
  const run = async () => {
    await deletePlaybook(slug, project, playbook.id);
    await navigate({ to: '/o/$slug/factory/playbooks', params: { slug }, search: { project } });
    undoable(t('deleted', { name }), () => void restore(slug, project, playbook));
    await refresh(...listsOf(slug, project));
  };
  return (
    <DeleteSection
      title={t('deletePlaybook')}
      about={t('aboutPlaybook')}
      name={name}
      typed={name}
      frozen={frozen}
      run={run}
    >
      {playbook.projectDefault && <p>{t('aboutPlaybookDefault')}</p>}
      <p>{t('aboutPlaybook')}</p>
      <p>{t('restorable')}</p>
    </DeleteSection>
  );
}
