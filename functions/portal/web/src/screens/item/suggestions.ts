/** What `#` and `@` complete to while writing. */
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { agentsQuery } from '@/data/factory';
import { projectMembersQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import type { Suggestion } from '@/ui/MarkdownEditor';
import type { ItemContext } from './ItemView';

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
      const text = query.toLowerCase();
      if (kind === '#') {
        const cards = graph
          .cards()
          .filter((card) => `${card.key} ${card.title}`.toLowerCase().includes(text));
        return cards
          .slice(0, MOST)
          .map((card) => ({ label: card.key, detail: plain(card.title), apply: `${card.key} ` }));
      }
      const names = [
        ...(members ?? []).map((member) => member.displayName),
        ...(agents ?? []).filter((agent) => !agent.disabled).map((agent) => agent.name),
      ];
      const found = names.filter((name) => name.toLowerCase().includes(text));
      return found.slice(0, MOST).map((name) => ({ label: `@${plain(name)}`, apply: `@${name} ` }));
    },
    [graph, members, agents],
  );
}
