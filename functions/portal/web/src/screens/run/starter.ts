/** What started a run besides the person who is named as its requester, as far as the service tells it. */
import { useQuery } from '@tanstack/react-query';
import type { Run } from '@/api/types';
import { firingsQuery } from '@/data/rules';
import { scheduleFiringsQuery, schedulesQuery } from '@/data/schedules';

interface Starter {
  what: 'comment' | 'rule' | 'schedule';
  /** Of the rule or the schedule. */
  name: string;
  href: string;
}

/** Nothing for a run that a person started, and for one whose rule or schedule has fired too often since. */
export function useStarter(run: Run): Starter | undefined {
  const { organization: slug, project, item, comment } = run;
  // Follow-ups come from comments, and what goes on with an earlier run from a person or from the service itself.
  const first = run.kind === 'implement' && !comment;
  const once = { refetchInterval: false, staleTime: 5 * 60_000 } as const;
  const { data: firings } = useQuery({
    ...firingsQuery(slug, project, undefined, 1),
    ...once,
    enabled: first,
  });
  const { data: schedules } = useQuery({ ...schedulesQuery(slug, project), ...once, enabled: first });
  const schedule = schedules?.find(({ lastItem }) => lastItem === item);
  const { data: fired } = useQuery({
    ...scheduleFiringsQuery(slug, project, schedule?.id ?? ''),
    enabled: first && schedule !== undefined,
  });
  if (comment) return { what: 'comment', name: '', href: `/o/${slug}/p/${project}/items/${item}#${comment}` };
  const rule = firings?.items.find((firing) => firing.run === run.id);
  const factory = (area: string) => `/o/${slug}/factory/${area}?project=${project}`;
  if (rule) return { what: 'rule', name: rule.ruleName, href: factory('rules') };
  if (schedule && fired?.some((firing) => firing.run === run.id))
    return { what: 'schedule', name: schedule.name, href: factory('schedules') };
  return undefined;
}
