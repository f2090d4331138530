import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Comment } from '@/api/types';
import { commentsQuery } from '@/data/items';
import { linkedId } from '@/lib/linked';
import { draftOf, useDraftGiven } from '@/store/drafts';
import { Tabs } from '@/ui/LinkTabs';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { CommentView } from './CommentView';
import { Composer } from './Composer';
import type { ItemContext } from './context';
import { History } from './History';
import styles from './item.module.css';
import { t } from './strings';

/** What was said about the item, and what happened to it. */
export function Activity(context: ItemContext) {
  const [tab, setTab] = useState<'comments' | 'history'>('comments');
  const { slug, card } = context;
  const comments = useQuery(commentsQuery(slug, card.key));
  useLinkedComment(comments.data);
  const count = comments.data?.filter((comment) => !comment.deleted).length;
  return (
    <section className={styles.section} aria-label={t('activity')}>
      <Tabs
        label={t('activity')}
        panel="activity"
        current={tab}
        onChange={setTab}
        tabs={[
          { id: 'comments', label: t('comments'), count },
          { id: 'history', label: t('history') },
        ]}
      />
      <div id="activity" role="tabpanel" className={styles.activity}>
        {tab === 'history' ? (
          <History {...context} />
        ) : (
          <>
            {comments.error && !comments.data && (
              <ProblemPanel error={comments.error} retry={() => void comments.refetch()} />
            )}
            {comments.isPending && <Skeleton label={t('comments')} rows={3} height={48} />}
            {comments.data && <Threads {...context} comments={comments.data} />}
            {context.access.comment && <Composer {...context} replyTo={null} />}
          </>
        )}
      </div>
    </section>
  );
}

function Threads({ comments, ...context }: ItemContext & { comments: Comment[] }) {
  const threads = useMemo(() => threadsOf(comments), [comments]);
  const [replying, setReplying] = useState<string>();
  if (threads.length === 0) return <p className={styles.none}>{t('noComments')}</p>;
  const mayReply = context.access.comment && context.frozen === undefined;
  return (
    <ol className={styles.threads}>
      {threads.map(({ first, replies }) => (
        <li key={first.id} className={styles.thread}>
          <RefusedReply {...context} first={first} open={() => setReplying(first.id)} />
          <CommentView
            {...context}
            comment={first}
            onReply={mayReply ? () => setReplying(first.id) : undefined}
          />
          {replies.length > 0 && (
            <ol className={styles.replies}>
              {replies.map((reply) => (
                <li key={reply.id}>
                  <CommentView
                    {...context}
                    comment={reply}
                    onReply={mayReply ? () => setReplying(first.id) : undefined}
                  />
                </li>
              ))}
            </ol>
          )}
          {replying === first.id && (
            <div className={styles.replies}>
              <Composer {...context} replyTo={first} onDone={() => setReplying(undefined)} />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Opens the reply of a thread again when the service refused it. Draws nothing. */
function RefusedReply({ slug, card, first, open }: ItemContext & { first: Comment; open: () => void }) {
  useDraftGiven(draftOf.comment(slug, card.key, first.id), open);
  return null;
}

interface Thread {
  first: Comment;
  replies: Comment[];
}

/** Comments by thread, in the order that they began. A deleted comment stays while it has replies. */
function threadsOf(comments: readonly Comment[]): Thread[] {
  const threads = new Map<string, Thread>();
  for (const comment of comments)
    if (!comment.replyTo) threads.set(comment.id, { first: comment, replies: [] });
  for (const comment of comments) {
    if (!comment.replyTo || comment.deleted) continue;
    const thread = threads.get(comment.replyTo);
    if (thread) thread.replies.push(comment);
    else threads.set(comment.id, { first: comment, replies: [] });
  }
  return [...threads.values()].filter(({ first, replies }) => !first.deleted || replies.length > 0);
}

/** A link to a comment leads to it. */
function useLinkedComment(comments: Comment[] | undefined): void {
  const id = linkedId();
  const there = comments?.some((comment) => comment.id === id) ?? false;
  useEffect(() => {
    if (there) document.getElementById(id)?.scrollIntoView({ block: 'center' });
  }, [there, id]);
}
