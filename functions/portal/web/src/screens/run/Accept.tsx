import { useQuery } from '@tanstack/react-query';
import type { Run } from '@/api/types';
import { useItemAccess, withCan } from '@/app/access';
import { itemRunsQuery } from '@/data/factory';
import { itemQuery } from '@/data/items';
import { workflowQuery } from '@/data/projects';
import { AcceptButton } from '@/items/AcceptButton';
import { projectOf } from '@/lib/text';
import { useCard, useProject } from '@/store/hooks';

/** Accepts what a run did, where it is the last that succeeded on its item. */
export function Accept({ run }: { run: Run }) {
  const { organization: slug, item } = run;
  const project = projectOf(item);
  const { graph } = useProject(slug, project);
  const card = useCard(graph, item);
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const { data: detail } = useQuery(itemQuery(slug, item));
  const { data: runs } = useQuery(itemRunsQuery(slug, item));
  const access = withCan(useItemAccess(slug, project), detail?.can);
  if (!card || !workflow || runs?.items[0]?.id !== run.id) return null;
  return <AcceptButton slug={slug} item={card} workflow={workflow} access={access} />;
}
