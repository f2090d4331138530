/** Which items a term matches, as the service reads it: for terms that need what is in no card, and for those to come. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import { zoneFor } from './language';

const PAGE = 100;
/** As many items as a board has. */
const MOST_PAGES = 50;

/** The keys of all items that a term matches. The error of a wrong term says what is wrong with it. */
export const termQuery = (slug: string, project: string, term: string) =>
  queryOptions({
    queryKey: ['filter', slug, project, term],
    queryFn: async (): Promise<ReadonlySet<string>> => {
      const keys = new Set<string>();
      for (let page = 1; page <= MOST_PAGES; page++) {
        const params = {
          path: { slug, key: project },
          query: { filter: term, page, pageSize: PAGE, sort: 'key', ...zoneFor(term) },
        };
        const answer = await data(http.GET('/api/v1/orgs/{slug}/projects/{key}/items', { params }));
        for (const { key } of answer.items) keys.add(key);
        if (answer.items.length === 0 || page * PAGE >= answer.totalCount) break;
      }
      return keys;
    },
    structuralSharing: false,
    retry: false,
    staleTime: 60_000,
  });
