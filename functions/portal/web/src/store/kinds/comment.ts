/** Writes of comments: they are shown at once, and sent when the service can be reached. */

import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Actor, Comment } from '@/api/types';
import { commentsQuery } from '@/data/items';
import { keepReach } from '@/data/reach';
import { insist } from '@/lib/parts';
import { draftOf, giveDraft, returnDraft } from '../drafts';
import { writeKind } from '../outbox';
import { queries } from '../queries';
import { commentEvents } from './comment-events';

interface CommentCreation {
  slug: string;
  item: string;
  body: string;
  replyTo: string | null;
  attachments: string[];
  author: Actor;
}

interface CommentEdit {
  slug: string;
  item: string;
  id: string;
  version: number;
  body: string;
  /** The text that the new one was begun from. */
  base: string;
}

interface ReactionChange {
  slug: string;
  item: string;
  comment: string;
  emoji: string;
  add: boolean;
  by: { id: string; displayName: string };
}

/** Whether a comment waits to be sent. */
export function isUnsent(comment: Comment): boolean {
  return comment.id.startsWith('~');
}

export const createComment = writeKind<CommentCreation>('comment.create', {
  show({ id, input, at }) {
    const shown: Comment = {
      id: `~${id}`,
      author: input.author,
      body: input.body,
      replyTo: input.replyTo,
      createdAt: new Date(at).toISOString(),
      canReact: false,
      canEdit: false,
      canDelete: false,
      deleted: false,
      mentions: [],
      reactions: [],
      version: 0,
    };
    change(input, (comments) => [...comments, shown]);
  },
  async send({ id, input }) {
    const params = { path: { slug: input.slug, key: input.item } };
    const { body, replyTo, attachments } = input;
    const headers = { 'Idempotency-Key': id };
    const sent = await data(
      http.POST('/api/v1/orgs/{slug}/items/{key}/comments', {
        params,
        headers,
        body: { body, replyTo, attachments },
      }),
    );
    keepReach(sent);
  },
  async refused({ id, input }, problem) {
    change(input, (comments) => comments.filter((comment) => comment.id !== `~${id}`));
    const { slug, item, replyTo, attachments } = input;
    await returnDraft(draftOf.comment(slug, item, replyTo), input.body);
    // Files that the service does not take any more would be refused for ever.
    const wrong = Object.keys(problem.problem.errors ?? {}).some((field) => field.startsWith('attachments'));
    if (attachments.length > 0 && !wrong)
      giveDraft(draftOf.commentFiles(slug, item, replyTo), attachments.join(' '));
    commentEvents.emit('refused', { problem, kept: true, slug, item });
    return false;
  },
  settled: ({ input }) => refresh(input),
});

export const editComment = writeKind<CommentEdit>('comment.edit', {
  show({ input }) {
    change(input, (comments) =>
      comments.map((comment) => (comment.id === input.id ? unrendered(comment, input.body) : comment)),
    );
  },
  async send({ input }) {
    const params = { path: { slug: input.slug, key: input.item, commentId: input.id } };
    const path = '/api/v1/orgs/{slug}/items/{key}/comments/{commentId}';
    const write = async (version: number, body: string) =>
      keepReach(await data(http.PATCH(path, { params, body: { version, body } })));
    try {
      await write(input.version, input.body);
    } catch (problem) {
      if (!isProblem(problem, 'stale-version')) throw problem;
      // What was written elsewhere meanwhile comes along, if it is in other lines.
      const now = await data(http.GET(path, { params }));
      const { mergeText } = await insist(() => import('@/lib/merge'));
      const merged = mergeText(input.base, input.body, now.body);
      if ('text' in merged) return write(now.version, merged.text);
      // Of the same lines both texts come back to be edited, begun from what there is now.
      input.body = `${input.body}\n\n${now.body}`;
      input.base = now.body;
      throw problem;
    }
  },
  async refused({ input }, problem) {
    await returnDraft(draftOf.commentEdit(input.slug, input.item, input.id), input.body, input.base);
    commentEvents.emit('refused', { problem, kept: true, slug: input.slug, item: input.item });
    refresh(input);
    return false;
  },
  settled: ({ input }) => refresh(input),
});

export const react = writeKind<ReactionChange>('comment.react', {
  show({ input }) {
    change(input, (comments) =>
      comments.map((comment) => (comment.id === input.comment ? reacted(comment, input) : comment)),
    );
  },
  async send({ input }) {
    const path = { slug: input.slug, key: input.item, commentId: input.comment };
    if (input.add) {
      const body = { emoji: input.emoji };
      await data(
        http.PUT('/api/v1/orgs/{slug}/items/{key}/comments/{commentId}/reactions', {
          params: { path },
          body,
        }),
      );
    } else {
      const params = { path: { ...path, emoji: input.emoji } };
      await data(
        http.DELETE('/api/v1/orgs/{slug}/items/{key}/comments/{commentId}/reactions/{emoji}', { params }),
      );
    }
  },
  async refused({ input }, problem) {
    commentEvents.emit('refused', { problem, kept: false, slug: input.slug, item: input.item });
    refresh(input);
    return false;
  },
  settled: () => {},
});

/** A comment with a reaction added or taken back. Exported for its tests. */
export function reacted(
  comment: Comment,
  { emoji, add, by }: Pick<ReactionChange, 'emoji' | 'add' | 'by'>,
): Comment {
  const held = comment.reactions.find((reaction) => reaction.emoji === emoji);
  const others = (held?.users ?? []).filter((user) => user.id !== by.id);
  const users = add
    ? [...others, { id: by.id, displayName: by.displayName, agent: false, avatarKey: null }]
    : others;
  const next = { emoji, count: users.length, reactedByMe: add, users };
  const rest = comment.reactions.filter((reaction) => reaction.emoji !== emoji);
  return { ...comment, reactions: users.length > 0 ? [...rest, next].sort(byEmoji) : rest };
}

/** A comment with a new text, which nobody has rendered yet. */
function unrendered({ html: _, ...comment }: Comment, body: string): Comment {
  return { ...comment, body };
}

export const EMOJIS = ['👍', '👎', '❤️', '🎉', '👀', '✅'] as const;

function byEmoji(a: { emoji: string }, b: { emoji: string }): number {
  return EMOJIS.indexOf(a.emoji as never) - EMOJIS.indexOf(b.emoji as never);
}

function change(
  { slug, item }: { slug: string; item: string },
  edit: (comments: Comment[]) => Comment[],
): void {
  queries.setQueryData(commentsQuery(slug, item).queryKey, (comments) => comments && edit(comments));
}

function refresh({ slug, item }: { slug: string; item: string }): void {
  void queries.invalidateQueries({ queryKey: commentsQuery(slug, item).queryKey });
}
