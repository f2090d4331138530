/**
 * Agents and playbooks by the ids that rules, schedules, settings and runs name. One that was deleted is told as
 * deleted, with its name for as long as it can be restored.
 */
import { useQuery } from '@tanstack/react-query';
import { agentsQuery, deletedAgentsQuery, deletedPlaybooksQuery, playbooksQuery } from '@/data/factory';
import { plain } from '@/lib/text';
import { t } from './strings';

export interface Named {
  id: string;
  /** For people to read; of one that was deleted, it says so. */
  name: string;
  deleted: boolean;
}

type Thing = { id: string; name: string };

/** The agent of an id; nothing without an id, and while it is not known. */
export function useNamedAgent(slug: string, id: string | null | undefined): Named | undefined {
  const { data: there } = useQuery({ ...agentsQuery(slug), enabled: Boolean(id) });
  const gone = isGone(there, id);
  const { data: deleted } = useQuery({ ...deletedAgentsQuery(slug), enabled: gone });
  return named(id, there, gone ? deleted : undefined, t('someAgent'));
}

/** The playbook of an id; nothing without an id, and while it is not known. */
export function useNamedPlaybook(
  slug: string,
  project: string,
  id: string | null | undefined,
): Named | undefined {
  const { data: there } = useQuery({ ...playbooksQuery(slug, project), enabled: Boolean(id) });
  const gone = isGone(there, id);
  const { data: deleted } = useQuery({ ...deletedPlaybooksQuery(slug, project), enabled: gone });
  return named(id, there, gone ? deleted : undefined, t('somePlaybook'));
}

function isGone(there: readonly Thing[] | undefined, id: string | null | undefined): boolean {
  return Boolean(id) && there !== undefined && !there.some((thing) => thing.id === id);
}

/** Pure: what is known of an id from those that are there and, where it is not among them, those that were deleted. */
export function named(
  id: string | null | undefined,
  there: readonly Thing[] | undefined,
  deleted: readonly Thing[] | undefined,
  unnamed: string,
): Named | undefined {
  if (!id || !there) return undefined;
  const found = there.find((thing) => thing.id === id);
  if (found) return { id, name: plain(found.name), deleted: false };
  const gone = deleted?.find((thing) => thing.id === id);
  return { id, name: gone ? t('namedDeleted', { name: plain(gone.name) }) : unnamed, deleted: true };
}

/** What there is to choose, and what is chosen already where that was deleted since. */
export function choosable<One extends Thing>(
  there: readonly One[] | undefined,
  chosen: Named | undefined,
): readonly Thing[] {
  const all: Thing[] = there?.map(({ id, name }) => ({ id, name: plain(name) })) ?? [];
  return chosen?.deleted ? [...all, chosen] : all;
}
