/** What the store tells of writes of comments. */
import type { ProblemError } from '@/api/problem';
import { emitter } from '@/lib/emitter';

/** A refused write of comments. A refused text is a draft again, where it was written. */
export const commentEvents = emitter<{
  refused: { problem: ProblemError; kept: boolean; slug: string; item: string };
}>();
