import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { detailOf, isProblem } from '@/api/problem';
import { useMe } from '@/data/me';
import { sprintsQuery } from '@/data/projects';
import { matcher, remoteTerms } from '@/filter/language';
import { termQuery } from '@/filter/remote';
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
  const remote = useMemo(() => remoteTerms(filter), [filter]);
  const found = useQueries({
    queries: remote.map((term) => termQuery(slug, project, term)),
    combine: (answers) => answers.map(({ data }) => data),
  });
  return useMemo(() => {
    const keys = new Map(remote.flatMap((term, at) => (found[at] ? [[term, found[at]]] : [])));
    return matcher(filter, q, { me: id, currentSprint: current }, keys);
  }, [filter, q, id, current, remote, found]);
}

/** A term that the service does not understand, and why. */
export interface WrongTerm {
  term: string;
  reason: string;
}

/** The terms of the filter in the address that are wrong. With one of them nothing is known to match. */
export function useWrongTerms(slug: string, project: string, filter: string): readonly WrongTerm[] {
  const remote = useMemo(() => remoteTerms(filter), [filter]);
  return useQueries({
    queries: remote.map((term) => termQuery(slug, project, term)),
    combine: (answers) => answers.flatMap(({ error }, at) => wrongTerm(remote[at] ?? '', error)),
  });
}

/** Only what the service says about the term itself; a lost connection makes no term wrong. */
export function wrongTerm(term: string, error: unknown): WrongTerm[] {
  if (!isProblem(error, 'invalid-query', 'validation-failed', 'malformed-request')) return [];
  return [{ term, reason: detailOf(error.problem) || error.problem.title }];
}
