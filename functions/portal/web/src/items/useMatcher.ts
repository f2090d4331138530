import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { detailOf, isProblem } from '@/api/problem';
import { useMe } from '@/data/me';
import { sprintsQuery } from '@/data/projects';
import { matcher, remoteTerms } from '@/filter/language';
import { termQuery } from '@/filter/remote';
import type { Card } from '@/store/feed';

/** A term that the service does not understand, and why. */
export interface WrongTerm {
  term: string;
  reason: string;
}

interface Matcher {
  /** Whether an item matches the filter and the words. */
  matches: (card: Card) => boolean;
  /** The terms of the filter that are wrong. With one of them nothing is known to match. */
  wrong: readonly WrongTerm[];
}

/** The filter and the words in the address, as a test of items. */
export function useMatcher(slug: string, project: string, filter: string, q: string): Matcher {
  const { id } = useMe();
  const asksSprint = filter.includes('sprint:');
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: asksSprint });
  const current = sprints?.items.find((sprint) => sprint.state === 'active')?.id;
  const remote = useMemo(() => remoteTerms(filter), [filter]);
  const combine = useCallback((answers: Answer[]) => answersOf(remote, answers), [remote]);
  const { found, wrong } = useQueries({
    queries: remote.map((term) => termQuery(slug, project, term)),
    combine,
  });
  const matches = useMemo(() => {
    const keys = new Map(remote.flatMap((term, at) => (found[at] ? [[term, found[at]]] : [])));
    return matcher(filter, q, { me: id, currentSprint: current }, keys);
  }, [filter, q, id, current, remote, found]);
  return { matches, wrong };
}

type Answer = UseQueryResult<ReadonlySet<string>>;

/** What the service said of each term: the items that match it, or why it is wrong. */
function answersOf(terms: readonly string[], answers: readonly Answer[]) {
  return {
    found: answers.map(({ data }) => data),
    wrong: answers.flatMap(({ error }, at) => wrongTerm(terms[at] ?? '', error)),
  };
}

/** Only what the service says about the term itself; a lost connection makes no term wrong. */
export function wrongTerm(term: string, error: unknown): WrongTerm[] {
  if (!isProblem(error, 'invalid-query', 'validation-failed', 'malformed-request')) return [];
  return [{ term, reason: detailOf(error.problem) || error.problem.title }];
}
