/** Items of every project that match a filter. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Item } from '@/api/types';
import { canQuery } from '@/data/projects';
import { zoneFor } from '@/filter/language';
import { byName } from '@/lib/text';
import { queries } from '@/store/queries';
import { PRIORITY_ORDER } from '@/ui/glyphs';

/** What Home lists, each as one question to the service, which answers how many there are in all. */
export const FILTERS = {
  due: '(assignee:@me OR claimed:@me) state:backlog,active due:<=+7d',
  /** What comes first of what is mine, however much there is. */
  now: '(claimed:@me OR (assignee:@me state:backlog,active sprint:current))',
  mine: '(claimed:@me OR (assignee:@me state:backlog,active))',
  watched: 'watching:@me state:backlog,active -assignee:@me -claimed:@me',
  open: 'state:backlog,active',
} as const;

/** So many items are listed at once. */
export const PAGE = 50;

export const workQuery = (
  slug: string,
  filter: string,
  sort = '-updated',
  page = 1,
  pageSize = PAGE,
  q = '',
) =>
  queryOptions({
    queryKey: ['work', slug, filter, sort, page, pageSize, q],
    queryFn: async () => {
      const params = {
        path: { slug },
        query: { filter, page, pageSize, sort, ...(q && { q }), ...zoneFor(filter) },
      };
      const list = await data(http.GET('/api/v1/orgs/{slug}/items', { params }));
      // What one may do in their projects is known before one goes there.
      for (const [project, can] of Object.entries(list.can ?? {}))
        queries.setQueryData(canQuery(slug, project).queryKey, can);
      return list;
    },
    meta: { keep: true },
  });

export type When = 'late' | 'today' | 'week';

/** Items with a day, by how near it is; the nearest first. */
export function byDay(items: readonly Item[], today: string): { when: When; items: Item[] }[] {
  const whenOf = ({ due }: Item): When => (!due || due > today ? 'week' : due < today ? 'late' : 'today');
  const dated = items.filter(({ due }) => due).sort((a, b) => (a.due ?? '').localeCompare(b.due ?? ''));
  return (['late', 'today', 'week'] as const)
    .map((when) => ({ when, items: dated.filter((item) => whenOf(item) === when) }))
    .filter((group) => group.items.length > 0);
}

export interface SprintName {
  id: string;
  name: string;
  state: string;
}

export interface Group {
  id: string;
  /** The sprint; nothing for what is claimed, and for what is in none. */
  sprint: SprintName | undefined;
  items: Item[];
}

const ORDER = ['active', 'planned', 'completed'];

/** What somebody works on now, then their items by sprint, running ones first; in each the most urgent first. */
export function bySprint(
  items: readonly Item[],
  me: string,
  sprints: ReadonlyMap<string, SprintName>,
): Group[] {
  const claimed = items.filter((item) => item.claim?.holder === me);
  const rest = items.filter((item) => item.claim?.holder !== me);
  const ids = [...new Set(rest.map(({ sprint }) => sprint).filter((id) => typeof id === 'string'))];
  const place = (id: string) => {
    const at = ORDER.indexOf(sprints.get(id)?.state ?? '');
    return at < 0 ? ORDER.length : at;
  };
  ids.sort((a, b) => place(a) - place(b) || byName(sprints.get(a)?.name ?? '', sprints.get(b)?.name ?? ''));
  const groups: Group[] = [
    { id: 'claimed', sprint: undefined, items: claimed },
    ...ids.map((id) => ({ id, sprint: sprints.get(id), items: rest.filter((item) => item.sprint === id) })),
    { id: 'none', sprint: undefined, items: rest.filter(({ sprint }) => !sprint) },
  ];
  return groups
    .filter((group) => group.items.length > 0)
    .map((group) => ({ ...group, items: [...group.items].sort(byUrgency) }));
}

function byUrgency(a: Item, b: Item): number {
  return PRIORITY_ORDER.indexOf(a.priority) - PRIORITY_ORDER.indexOf(b.priority);
}
