/** What a text can name: what `#` and `@` complete to while writing, and what is drawn then. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { agentsQuery } from '@/data/factory';
import { projectMembersQuery } from '@/data/projects';
import { wikiQuery } from '@/data/wiki';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import type { ProjectGraph } from '@/store/graph';
import { queries } from '@/store/queries';
import type { Known, Sign, Suggestion } from '@/ui/editor/props';
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
  const known = useMemo((): Known => {
    const people = (members ?? []).map(({ displayName: name }) => ({ kind: 'person' as const, name }));
    const working = (agents ?? [])
      .filter(({ disabled }) => !disabled)
      .map(({ name }) => ({ kind: 'agent' as const, name }));
    const item = (key: string) => {
      const card = graph.card(key);
      return card && { group: card.stateGroup, title: plain(card.title) };
    };
    return { people: [...people, ...working], item };
  }, [graph, members, agents]);
  const suggest = useCallback(
    (kind: Sign, query: string): Suggestion[] => {
      if (kind === '#') return held(graph, query);
      if (kind === '[[') return pages(slug, project, query);
      const text = query.toLowerCase();
      return known.people
        .filter(({ name }) => name.toLowerCase().includes(text))
        .slice(0, MOST)
        .map((glyph) => ({ label: `@${plain(glyph.name)}`, apply: `@${glyph.name} `, glyph }));
    },
    [slug, project, graph, known],
  );
  return { suggest, known };
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

/** Pages of the project's wiki by their names. They are read when somebody first asks for one. */
function pages(slug: string, project: string, query: string): Suggestion[] {
  const asked = wikiQuery(slug, project);
  const entries = queries.getQueryData(asked.queryKey);
  if (!entries) void queries.prefetchQuery(asked);
  const text = query.toLowerCase();
  return (entries ?? [])
    .filter(({ path }) => path.toLowerCase().includes(text))
    .slice(0, MOST)
    .map(({ path }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const address = path
        .split('/')
        .map(encodeURIComponent)
        .join('/')
        .replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
      return {
        label: plain(name),
        detail: name === path ? '' : plain(path.slice(0, -name.length - 1)),
        apply: `[${name.replace(/[[\]\\]/g, '\\$&')}](/o/${slug}/p/${project}/wiki/${address})`,
        glyph: { kind: 'page' as const },
      };
    });
}
