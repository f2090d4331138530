/** By what a list or board is grouped: as its address says, else as it was chosen last for the project. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Workflow } from '@/api/types';
import { milestonesQuery } from '@/data/milestones';
import { sprintsQuery } from '@/data/projects';
import { useLocal } from '@/lib/local';
import type { Place } from './actions';
import type { GroupKind, Known } from './groups';

interface Grouping<Kind extends GroupKind> {
  /** Names the setting, and the part of the address. */
  name: 'group' | 'lanes';
  kinds: readonly Kind[];
  /** Without a choice. */
  first: Kind;
  search: Partial<Record<string, string>>;
  onSearch: (next: Record<string, string | undefined>) => void;
}

/** The grouping, and a function that changes it. */
export function useGrouping<Kind extends GroupKind>(
  { slug, project }: Place,
  { name, kinds, first, search, onSearch }: Grouping<Kind>,
): [Kind, (kind: Kind) => void] {
  const [last, keep] = useLocal<string>(`${name}-by.${slug}.${project}`, first);
  const found = [search[name], last].find((kind) => kinds.includes(kind as Kind)) as Kind | undefined;
  const change = (kind: Kind) => {
    keep(kind);
    onSearch({ [name]: kind });
  };
  return [found ?? first, change];
}

/** What names and orders the groups, read once they are grouped by it. */
export function useKnown({ slug, project }: Place, workflow: Workflow, kind: GroupKind): Known {
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: kind === 'sprint' });
  const { data: milestones } = useQuery({ ...milestonesQuery(slug, project), enabled: kind === 'milestone' });
  return useMemo(
    () => ({ workflow, sprints: sprints?.items, milestones }),
    [workflow, sprints?.items, milestones],
  );
}
