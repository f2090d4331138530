import { useNavigate } from '@tanstack/react-router';
import type { Project } from '@/api/types';
import { useAccess } from '@/app/access';
import { refresh } from '@/data/act';
import { deleteProject } from '@/data/projects';
import { DeleteSection } from '@/deletion/DeleteSection';
import { listsOf, restoreProject } from '@/deletion/projects';
import { t } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { undoable } from '@/store/undo';

/** Deletes a project after its key was typed, and leads to the projects, where it can be restored. */
export function DeleteProject({ slug, project }: { slug: string; project: Project }) {
  const { administer } = useAccess(slug);
  const navigate = useNavigate();
  if (!administer) return null;
  const name = plain(project.name);
  const run = async () => {
    await deleteProject(slug, project.key);
    await navigate({ to: '/o/$slug/p', params: { slug } });
    undoable(t('deleted', { name }), () => void restoreProject(slug, project.key, name));
    await refresh(...listsOf(slug));
  };
  return (
    <DeleteSection
      title={t('deleteProject')}
      about={t('aboutProject')}
      name={name}
      typed={project.key}
      run={run}
    >
      <p>{t('aboutProject')}</p>
      <p>{t('aboutProjectLater')}</p>
    </DeleteSection>
  );
}
