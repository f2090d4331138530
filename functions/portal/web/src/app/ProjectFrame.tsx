import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isProblem } from '@/api/problem';
import type { Project, Workflow } from '@/api/types';
import { useOrganization } from '@/data/me';
import { projectQuery, workflowQuery } from '@/data/projects';
import type { ProjectGraph } from '@/store/graph';
import { useProject } from '@/store/hooks';
import { Banner, ProblemPanel } from '@/ui/states';
import { Missing } from './States';
import { t } from './strings';

interface Loaded {
  graph: ProjectGraph;
  project: Project;
  workflow: Workflow;
}

interface ProjectFrameProps {
  slug: string;
  project: string;
  /** While there is nothing to show yet. */
  skeleton: ReactNode;
  children: (loaded: Loaded) => ReactNode;
}

/** What every screen on a project's items needs: its cards, live, and its workflow; or why there are none. */
export function ProjectFrame({ slug, project: key, skeleton, children }: ProjectFrameProps) {
  const { graph, loaded, error, retry } = useProject(slug, key);
  const project = useQuery(projectQuery(slug, key));
  const workflow = useQuery(workflowQuery(slug, key));
  const failed = error ?? project.error ?? workflow.error;
  if (isProblem(failed, 'not-found')) return <Missing />;
  // Deleted: what this browser still holds of it is not shown either.
  if (isProblem(failed, 'deleted')) return <ProblemPanel error={failed} />;
  if (loaded && project.data && workflow.data)
    return children({ graph, project: project.data, workflow: workflow.data });
  if (failed) {
    const again = () => {
      retry();
      void project.refetch();
      void workflow.refetch();
    };
    return <ProblemPanel error={failed} retry={again} />;
  }
  return skeleton;
}

/** The bar of a project or an organization that takes no changes. */
export function FrozenBar({ slug, project }: { slug: string; project?: Project | undefined }) {
  const organization = useOrganization(slug);
  if (project?.archived) return <Banner kind="locked">{t('archivedBar')}</Banner>;
  if (organization?.readOnly) return <Banner kind="locked">{t('readOnlyBar')}</Banner>;
  return null;
}
