/** Creating an item where no project is open: in the one that was open last, or the first; the dialog offers the others. */
import { projectsQuery } from '@/data/projects';
import { readLocal } from '@/lib/local';
import { queries } from '@/store/queries';
import { type CreatePreset, show } from './overlays';

export function createAnywhere(slug: string, preset: CreatePreset = {}): void {
  void queries.ensureQueryData(projectsQuery(slug)).then((projects) => {
    const open = projects.filter(({ archived }) => !archived).map(({ key }) => key);
    const last = readLocal<string | null>('project', null);
    const project = open.find((key) => `${slug}/${key}` === last) ?? open[0];
    if (project) show({ kind: 'create', slug, project, preset });
  });
}
