/** Whether the instance waits for its first account, and which identity provider it has. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: () => data(http.GET('/api/v1/auth/setup')),
  staleTime: Number.POSITIVE_INFINITY,
});
