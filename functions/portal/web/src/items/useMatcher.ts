import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useMe } from '@/data/me';
import { sprintsQuery } from '@/data/projects';
import { matcher } from '@/filter/language';
import type { Card } from '@/store/feed';

/** A test of items for the filter in the address. */
export function useMatcher(
  slug: string,
  project: string,
  filter: string,
  q: string,
): (card: Card) => boolean {
  const { id } = useMe();
  const asksSprint = filter.includes('sprint:');
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: asksSprint });
  const current = sprints?.items.find((sprint) => sprint.state === 'active')?.id;
  return useMemo(() => matcher(filter, q, { me: id, currentSprint: current }), [filter, q, id, current]);
}
