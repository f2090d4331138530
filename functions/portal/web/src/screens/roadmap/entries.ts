/** What stands on a roadmap: milestones and open epics of one project or of all, by their days. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Item, Milestone, Project } from '@/api/types';
import { linksQuery } from '@/data/items';
import { changeMilestone, milestonesQuery } from '@/data/milestones';
import { projectOf } from '@/lib/text';
import { queries } from '@/store/queries';
import { workQuery } from '../home/work';
import { dayNumber } from './timeline';

export interface Entry {
  id: string;
  kind: 'milestone' | 'epic';
  project: string;
  name: string;
  href: string;
  /** When it began, as a day's number; and the day by which it should be done, where it has one. */
  from: number;
  due: number | undefined;
  done: number;
  active: number;
  all: number;
  /** Keys of the epics that it waits for. */
  waits: readonly string[];
  /** Sets its day, and reads anew what shows it. */
  setDue: (day: string | null) => Promise<unknown>;
}

/** Blocked epics whose links are read; the others are marked only where they are. */
const LINKED = 12;
/** Most epics. */
const EPICS = 100;
/** So many epics are asked about at once: a filter has no room for more. */
const TOGETHER = 40;
/** Most pages of what belongs to them; beyond that, progress is that of those that were read. */
const PAGES = 5;

interface Progress {
  done: number;
  active: number;
  all: number;
}

const NO_PROGRESS: Progress = { done: 0, active: 0, all: 0 };

/** How far epics are, by what belongs to them. */
export function progressOf(children: readonly Pick<Item, 'parent' | 'stateGroup'>[]): Map<string, Progress> {
  const found = new Map<string, Progress>();
  for (const { parent, stateGroup } of children) {
    if (!parent) continue;
    const { done, active, all } = found.get(parent) ?? NO_PROGRESS;
    const over = stateGroup === 'resolved' || stateGroup === 'closed';
    found.set(parent, {
      done: done + Number(over),
      active: active + Number(stateGroup === 'active'),
      all: all + 1,
    });
  }
  return found;
}

/** What belongs to epics. It is read again when items change, as the epics are. */
const childrenQuery = (slug: string, epics: readonly string[]) =>
  queryOptions({
    queryKey: ['work', slug, 'children', ...epics],
    queryFn: async () => {
      const children: Item[] = [];
      for (let page = 1; page <= PAGES; page++) {
        const query = { filter: `parent:${epics.join(',')}`, sort: 'key', page, pageSize: 100 };
        const { items, totalCount } = await data(
          http.GET('/api/v1/orgs/{slug}/items', { params: { path: { slug }, query } }),
        );
        children.push(...items);
        if (children.length >= totalCount) break;
      }
      return children;
    },
    staleTime: 60_000,
  });

/** Parts of a list of so many each. */
function parts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

/** The entries of a roadmap; undefined while they are on their way. */
export function useEntries(slug: string, projects: readonly Project[], only: string | undefined) {
  const keys = projects
    .filter(({ key, archived }) => !archived && (!only || key === only))
    .map(({ key }) => key);
  const milestones = useQueries({ queries: keys.map((key) => milestonesQuery(slug, key)) });
  const epics = useQuery(workQuery(slug, 'type:epic state:backlog,active', 'due', 1, EPICS));
  const shown = (epics.data?.items ?? []).filter(({ key }) => keys.includes(projectOf(key)));
  const blocked = shown.filter((item) => item.blocked).slice(0, LINKED);
  const links = useQueries({ queries: blocked.map(({ key }) => linksQuery(slug, key)) });
  const waits = new Map(
    blocked.map(({ key }, at) => [
      key,
      (links[at]?.data?.items ?? []).filter(({ type }) => type === 'blockedBy').map(({ item }) => item),
    ]),
  );
  const children = useQueries({
    queries: parts(
      shown.map(({ key }) => key),
      TOGETHER,
    ).map((some) => childrenQuery(slug, some)),
  });
  const progress = progressOf(children.flatMap(({ data }) => data ?? []));
  const error = epics.error ?? milestones.find((one) => one.error)?.error ?? undefined;
  const ready = epics.data !== undefined && milestones.every((one) => one.data !== undefined);
  const entries = keys.flatMap((project, at) => [
    ...(milestones[at]?.data ?? [])
      .filter(({ state }) => state !== 'closed')
      .map((milestone) => ofMilestone(slug, project, milestone)),
    ...shown
      .filter(({ key }) => projectOf(key) === project)
      .map((item) => ofEpic(slug, project, item, waits.get(item.key) ?? [], progress.get(item.key))),
  ]);
  const retry = () => {
    void epics.refetch();
    for (const one of milestones) void one.refetch();
  };
  return { entries, ready, error, retry };
}

function ofMilestone(slug: string, project: string, milestone: Milestone): Entry {
  const { id, name, due, createdAt, progress } = milestone;
  return {
    id,
    kind: 'milestone',
    project,
    name,
    href: `/o/${slug}/p/${project}/milestones/${id}`,
    from: dayNumber(createdAt),
    due: due ? dayNumber(due) : undefined,
    done: progress.resolved + progress.closed,
    active: progress.active,
    all: progress.items,
    waits: [],
    setDue: async (day) => {
      // Its version may have moved on since it was drawn: another day may just have been set.
      const known = queries
        .getQueryData(milestonesQuery(slug, project).queryKey)
        ?.find((one) => one.id === id);
      await changeMilestone(slug, project, known ?? milestone, { due: day });
      await queries.invalidateQueries({ queryKey: ['milestones', slug, project] });
    },
  };
}

function ofEpic(
  slug: string,
  project: string,
  item: Item,
  waits: readonly string[],
  progress = NO_PROGRESS,
): Entry {
  const { key, title, due, createdAt, startedAt } = item;
  return {
    id: key,
    kind: 'epic',
    project,
    name: title,
    href: `/o/${slug}/p/${project}/items/${key}`,
    from: dayNumber(startedAt ?? createdAt),
    due: due ? dayNumber(due) : undefined,
    ...progress,
    waits,
    setDue: async (day) => {
      const { version } = await data(
        http.GET('/api/v1/orgs/{slug}/items/{key}', { params: { path: { slug, key } } }),
      );
      const body = { version, due: day };
      await data(http.PATCH('/api/v1/orgs/{slug}/items/{key}', { params: { path: { slug, key } }, body }));
      await queries.invalidateQueries({ queryKey: ['work', slug] });
    },
  };
}
