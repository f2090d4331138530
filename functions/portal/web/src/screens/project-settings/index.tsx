import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { projectQuery } from '@/data/projects';
import { lazyPart } from '@/lib/parts';
import { plain } from '@/lib/text';
import { SettingsPage } from '../settings/SettingsPage';
import { type ProjectSection, projectSections } from '../settings/sections';
import { t } from '../settings/strings';
import type { OfProject } from './section';

const CONTENT = {
  general: lazyPart(() => import('./General')),
  members: lazyPart(() => import('./Members')),
  teams: lazyPart(() => import('./Teams')),
  workflow: lazyPart(() => import('./Workflow')),
  labels: lazyPart(() => import('./Labels')),
  templates: lazyPart(() => import('./Templates')),
  import: lazyPart(() => import('./Import')),
  intakes: lazyPart(() => import('./Intakes')),
  refinement: lazyPart(() => import('./Refinement')),
  factory: lazyPart(() => import('./Factory')),
} satisfies Record<ProjectSection, ComponentType<OfProject>>;

/** The settings of a project. */
export default function ProjectSettings() {
  const { slug, project, section } = useRouteParams('slug', 'project', 'section');
  const access = useItemAccess(slug, project);
  const { data, error } = useQuery(projectQuery(slug, project));
  if (isProblem(error, 'not-found')) return <Missing />;
  if (!data) return null;
  const sections = projectSections(access).map((id) => ({ id, label: t(`section_${id}`) }));
  const root = `/o/${slug}/p/${project}/settings`;
  const current = sections.find((one) => one.id === section);
  if (!section && sections[0]) return <Navigate to={`${root}/${sections[0].id}` as never} replace />;
  if (!current) return <Missing />;
  const Content = CONTENT[current.id];
  return (
    <SettingsPage
      title={plain(data.name)}
      root={root}
      sections={sections}
      current={current}
      frozen={access.frozen}
    >
      <Content slug={slug} project={project} may={access.configure} frozen={access.frozen} />
    </SettingsPage>
  );
}
