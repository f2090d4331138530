/** What `#` and `@` complete to while writing. */
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { agentsQuery } from '@/data/factory';
import { projectMembersQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
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
    (kind: '#' | '@', query: string): Suggestion[] => {
      if (kind === '#') return held(graph, query);
      const text = query.toLowerCase();
      const names = [
        ...(members ?? []).map(({ displayName: name }) => ({ kind: 'person' as const, name })),
        ...(agents ?? [])
          .filter(({ disabled }) => !disabled)
          .map(({ name }) => ({ kind: 'agent' as const, name })),
      ];
      const found = names.filter(({ name }) => name.toLowerCase().includes(text));
      return found
        .slice(0, MOST)
        .map((glyph) => ({ label: `@${plain(glyph.name)}`, apply: `@${glyph.name} `, glyph }));
    },
    [graph, members, agents],
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

function suggested({ key, title, stateGroup }: Card): Suggestion {
  return { label: key, detail: plain(title), apply: `${key} `, glyph: { kind: 'state', group: stateGroup } };
}
