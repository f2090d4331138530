/** Changes that are not items: sent at once, with the lists that show them read anew. */
import type { QueryKey } from '@tanstack/react-query';
import { isProblem } from '@/api/problem';
import { queries } from '@/store/queries';
import { toastProblem } from '@/ui/toasts';

/** Reads anew whatever begins with one of these keys. */
export async function refresh(...keys: QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Does a change and reads the lists anew. A refusal is shown in a corner; answers whether it was done. */
export async function act(work: () => Promise<unknown>, ...keys: QueryKey[]): Promise<boolean> {
  try {
    await work();
    await refresh(...keys);
    return true;
  } catch (error) {
    toastProblem(error);
    // Somebody was faster: what is shown is old.
    if (isProblem(error, 'stale-version')) await refresh(...keys);
    return false;
  }
}
