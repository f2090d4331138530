import { useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Item } from '@/api/types';
import { PAGE, workQuery } from './work';

export interface Work {
  items: Item[];
  /** How many there are in all, as the service counts them. */
  total: number;
  ready: boolean;
  error: unknown;
  retry: () => void;
  /** Reads a page more. */
  more: () => void;
}

/** The items of a filter, page by page, as somebody asks for them. */
export function useWork(slug: string, filter: string, sort: string, { enabled = true, q = '' } = {}): Work {
  const [pages, setPages] = useState(1);
  const queries = Array.from({ length: pages }, (_, at) => ({
    ...workQuery(slug, filter, sort, at + 1, PAGE, q),
    enabled,
  }));
  const answers = useQueries({ queries });
  const more = useCallback(() => setPages((old) => old + 1), []);
  // What moved from page to page while they were read is listed once.
  const items = new Map(answers.flatMap(({ data }) => data?.items ?? []).map((item) => [item.key, item]));
  return {
    items: [...items.values()],
    total: answers[0]?.data?.totalCount ?? 0,
    ready: answers[0]?.data !== undefined,
    error: answers.find(({ error }) => error)?.error ?? undefined,
    retry: () => {
      for (const answer of answers) void answer.refetch();
    },
    more,
  };
}
