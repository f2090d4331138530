/** Boxes of tasks in a description, ticked where they are read. */
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import { itemQuery } from '@/data/items';
import { graphOf } from '@/store/live';
import { queries } from '@/store/queries';
import { toastProblem } from '@/ui/toasts';
import type { ItemContext } from './context';

type Place = Pick<ItemContext, 'slug' | 'project' | 'card' | 'detail'>;

/**
 * Ticks a box, or empties it. Where the item changed meanwhile but not its description, the box is still the same one.
 * When it cannot be done, the page shows how it is.
 */
export async function tick(
  { slug, project, card, detail }: Place,
  number: number,
  done: boolean,
): Promise<void> {
  if (!detail) return;
  const query = itemQuery(slug, card.key);
  const send = async (version: number) => {
    const params = { path: { slug, key: card.key, number } };
    const body = { version, done };
    const item = await data(http.POST('/api/v1/orgs/{slug}/items/{key}/tasks/{number}', { params, body }));
    graphOf(slug, project).confirm({ ...item, body: '' });
    queries.setQueryData(query.queryKey, (old) => old && { ...old, ...item });
  };
  try {
    try {
      await send(card.version);
    } catch (error) {
      if (!isProblem(error, 'stale-version')) throw error;
      const now = await queries.fetchQuery({ ...query, staleTime: 0 });
      if (now.body !== detail.body) throw error;
      await send(now.version);
    }
  } catch (error) {
    toastProblem(error);
    // The box is drawn anew from what the service has.
    queries.setQueryData(query.queryKey, (old) => old && { ...old, html: `${old.html} ` });
  }
  await queries.invalidateQueries({ queryKey: query.queryKey });
}
