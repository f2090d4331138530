/** What `#` and `@` complete to while writing. */
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { data, http } from '@/api/client';
import { agentsQuery } from '@/data/factory';
import { projectMembersQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import type { Suggestion } from '@/ui/editor/props';
import type { ItemContext } from './context';

const MOST = 8;

export function useSuggestions({
  slug,
  project,
  graph,
  access,
}: Pick<ItemContext, 'slug' | 'project' | 'graph' | 'access'>) {
  const { data: members } = useQuery(projectMembersQuery(slug, project));
  const { data: agents } = useQuery({ ...agentsQuery(slug), enabled: access.operate });
  return useCallback(
    (kind: '#' | '@', query: string): Suggestion[] | Promise<Suggestion[]> => {
      if (kind === '#') return graph.loaded ? held(graph, query) : asked(slug, project, query);
      const text = query.toLowerCase();
      const names = [
        ...(members ?? []).map((member) => member.displayName),
        ...(agents ?? []).filter((agent) => !agent.disabled).map((agent) => agent.name),
      ];
      const found = names.filter((name) => name.toLowerCase().includes(text));
      return found.slice(0, MOST).map((name) => ({ label: `@${plain(name)}`, apply: `@${name} ` }));
    },
    [slug, project, graph, members, agents],
  );
}

/** Items of the project that are here. */
function held(graph: ProjectGraph, query: string): Suggestion[] {
  const text = query.toLowerCase();
  return graph
    .cards()
    .filter((card) => `${card.key} ${card.title}`.toLowerCase().includes(text))
    .slice(0, MOST)
    .map(suggested);
}

/** Items that the service finds, for who writes before the project is loaded. */
async function asked(slug: string, project: string, query: string): Promise<Suggestion[]> {
  const params = { path: { slug, key: project }, query: { q: query, types: 'items', limit: MOST } };
  const { results } = await data(http.GET('/api/v1/orgs/{slug}/projects/{key}/search', { params }));
  return results.flatMap(({ key, title }) => (key ? [suggested({ key, title: title ?? '' })] : []));
}

function suggested({ key, title }: { key: string; title: string }): Suggestion {
  return { label: key, detail: plain(title), apply: `${key} ` };
}
