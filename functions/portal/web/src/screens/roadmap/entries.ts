/** What stands on a roadmap: milestones and open epics of one project or of all, by their days. */
import { useQueries, useQuery } from '@tanstack/react-query';
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
  const error = epics.error ?? milestones.find((one) => one.error)?.error ?? undefined;
  const ready = epics.data !== undefined && milestones.every((one) => one.data !== undefined);
  const entries = keys.flatMap((project, at) => [
    ...(milestones[at]?.data ?? [])
      .filter(({ state }) => state !== 'closed')
      .map((milestone) => ofMilestone(slug, project, milestone)),
    ...shown
      .filter(({ key }) => projectOf(key) === project)
      .map((item) => ofEpic(slug, project, item, waits.get(item.key) ?? [])),
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

function ofEpic(slug: string, project: string, item: Item, waits: readonly string[]): Entry {
  const { key, title, due, createdAt, startedAt, stateGroup } = item;
  return {
    id: key,
    kind: 'epic',
    project,
    name: title,
    href: `/o/${slug}/p/${project}/items/${key}`,
    from: dayNumber(startedAt ?? createdAt),
    due: due ? dayNumber(due) : undefined,
    done: 0,
    active: stateGroup === 'active' ? 1 : 0,
    all: 1,
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
