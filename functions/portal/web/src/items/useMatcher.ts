import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { detailOf, isProblem } from '@/api/problem';
import { useMe } from '@/data/me';
import { milestonesQuery } from '@/data/milestones';
import { sprintsQuery, workflowQuery } from '@/data/projects';
import { folded, matcher, remoteTerms } from '@/filter/language';
import { termQuery } from '@/filter/remote';
import type { Card } from '@/store/feed';

/** A term that the service does not understand, and what it says of it: the sentence names the term. */
export interface WrongTerm {
  term: string;
  reason: string;
}

interface Matcher {
  /** Whether an item matches the words and what is right of the filter. */
  matches: (card: Card) => boolean;
  /** The terms of the filter that are wrong. */
  wrong: readonly WrongTerm[];
  /** Whether nothing is known to match: the filter is wrong, and none was right before it. */
  unknown: boolean;
}

/** The filter and the words in the address, as a test of items. */
export function useMatcher(slug: string, project: string, filter: string, q: string): Matcher {
  const { id } = useMe();
  const asksSprint = filter.includes('sprint:');
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: asksSprint });
  const current = sprints?.items.find((sprint) => sprint.state === 'active')?.id;
  const asksState = filter.includes('state:');
  const { data: workflow } = useQuery({ ...workflowQuery(slug, project), enabled: asksState });
  const states = useMemo(
    () => workflow && new Set(workflow.states.map(({ name }) => name.toLowerCase())),
    [workflow],
  );
  const asksMilestone = filter.includes('milestone:');
  const { data: milestones } = useQuery({ ...milestonesQuery(slug, project), enabled: asksMilestone });
  const known = useMemo(
    () => ({ states, sprints: idsByName(sprints?.items), milestones: idsByName(milestones) }),
    [states, sprints, milestones],
  );
  const remote = useMemo(() => remoteTerms(filter, known), [filter, known]);
  const combine = useCallback((answers: Answer[]) => answersOf(remote, answers), [remote]);
  const { found, wrong, asking } = useQueries({
    queries: remote.map((term) => termQuery(slug, project, term)),
    combine,
  });
  const matches = useMemo(() => {
    const keys = new Map(remote.flatMap((term, at) => (found[at] ? [[term, found[at]]] : [])));
    return matcher(filter, q, { me: id, currentSprint: current, ...known }, keys);
  }, [filter, q, id, current, known, remote, found]);
  // A mistake that is made while a list is looked at takes nothing away from it: the wrong term counts for nothing.
  const right = useRef(false);
  if (wrong.length === 0 && !asking) right.current = true;
  return { matches, wrong, unknown: wrong.length > 0 && !right.current };
}

function idsByName(some: readonly { id: string; name: string }[] | undefined) {
  return some && new Map(some.map(({ id, name }) => [folded(name), id]));
}

type Answer = UseQueryResult<ReadonlySet<string>>;

/** What the service said of each term: the items that match it, or why it is wrong. */
function answersOf(terms: readonly string[], answers: readonly Answer[]) {
  return {
    found: answers.map(({ data }) => data),
    asking: answers.some(({ isLoading }) => isLoading),
    wrong: answers.flatMap(({ error }, at) => wrongTerm(terms[at] ?? '', error)),
  };
}

/** Only what the service says about the term itself; a lost connection makes no term wrong. */
export function wrongTerm(term: string, error: unknown): WrongTerm[] {
  if (!isProblem(error, 'invalid-query', 'validation-failed', 'malformed-request')) return [];
  return [{ term, reason: detailOf(error.problem) || error.problem.title }];
}
