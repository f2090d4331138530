import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Playbook } from '@/api/types';
import { useAccess } from '@/app/access';
import { refresh } from '@/data/act';
import { deletePlaybook } from '@/data/factory';
import { t } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { undoable } from '@/store/undo';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Section } from '@/ui/Section';
import { listsOf, restore } from '../playbooks/restore';

interface DeletePlaybookProps {
  slug: string;
  project: string;
  playbook: Playbook;
}

/** Deletes a playbook after its name was typed, and leads back to the list, where it can be restored. */
export function DeletePlaybook({ slug, project, playbook }: DeletePlaybookProps) {
  const { configure, frozen } = useAccess(slug, project);
  const [asked, ask] = useState(false);
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
    <Section title={t('deletePlaybook')} about={`${t('aboutPlaybook')} ${t('restorable')}`} danger>
      <div>
        <Button kind="danger" refusal={frozen} onClick={() => ask(true)}>
          {t('deleteEntry')}
        </Button>
      </div>
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('deleteTitle', { name })}
        action={t('delete')}
        typed={name}
        run={run}
      >
        {playbook.projectDefault && <p>{t('aboutPlaybookDefault')}</p>}
        <p>{t('aboutPlaybook')}</p>
        <p>{t('restorable')}</p>
      </Confirm>
    </Section>
  );
}
