import { useQuery } from '@tanstack/react-query';
import { agentsQuery, playbooksQuery, runnersQuery, runsQuery } from '@/data/factory';
import { factorySettingsQuery } from '@/data/settings';
import { type Factory, type Missing, missing } from './readiness';

/** What a project's agents have and what they still need; nothing while it is not known, or not asked. */
export function useReadiness(
  slug: string,
  project: string | undefined,
): { factory: Factory; missing: Missing[] } | undefined {
  const enabled = project !== undefined;
  const key = project ?? '';
  const { data: runners } = useQuery({ ...runnersQuery(slug), enabled });
  const { data: agents } = useQuery({ ...agentsQuery(slug), enabled });
  const { data: playbooks } = useQuery({ ...playbooksQuery(slug, key), enabled });
  const { data: settings } = useQuery({ ...factorySettingsQuery(slug, key), enabled });
  const { data: runs } = useQuery({ ...runsQuery(slug, { pageSize: 100 }), enabled });
  if (!enabled || !runners || !agents || !playbooks || !settings || !runs) return undefined;
  const factory = { project: key, runners, agents, playbooks, settings, runs: runs.items };
  return { factory, missing: missing(factory) };
}
