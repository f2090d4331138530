import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleSlash, Ellipsis, Hourglass, type LucideIcon, Play, Reply, SmilePlus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { data, http } from '@/api/client';
import type { AgentMention, Comment } from '@/api/types';
import { useAccess } from '@/app/access';
import { announce } from '@/app/announcer';
import { mentionsQuery } from '@/data/factory';
import { attachmentsQuery, commentsQuery } from '@/data/items';
import { useMe } from '@/data/me';
import { reachQuery } from '@/data/reach';
import { renderText } from '@/data/render';
import { copy } from '@/items/selection';
import { useNames } from '@/items/useNames';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { MOST } from '@/lib/length';
import { plain, projectOf } from '@/lib/text';
import { MendLink } from '@/runs/MendLink';
import { draftOf, useDraft, useDraftGiven } from '@/store/drafts';
import { EMOJIS, editComment, isUnsent, react } from '@/store/kinds/comment';
import { queries } from '@/store/queries';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { MarkdownEditor } from '@/ui/MarkdownEditor';
import { Menu } from '@/ui/Menu';
import { Popover } from '@/ui/Popover';
import { Prose } from '@/ui/Prose';
import { TextLength, tooLong } from '@/ui/TextLength';
import { FileLink } from './Attachments';
import styles from './comment.module.css';
import type { ItemContext } from './context';
import { t } from './strings';
import { useSuggestions } from './suggestions';

type CommentProps = ItemContext & { comment: Comment; onReply: (() => void) | undefined };

/** A comment with its reactions, and what its author can do with it. */
export function CommentView({ comment, onReply, ...context }: CommentProps) {
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { slug, card, access, frozen } = context;
  const unsent = isUnsent(comment);
  useDraftGiven(draftOf.commentEdit(slug, card.key, comment.id), () => setEditing(true));
  const { mentions } = comment;
  const mentioned = useMemo(() => mentions.flatMap(({ id, name }) => [name, id]), [mentions]);
  if (comment.deleted) {
    return <p className={styles.deleted}>{t('deleted')}</p>;
  }
  const changeable = frozen === undefined && !unsent;
  const remove = async () => {
    const path = { slug, key: card.key, commentId: comment.id };
    await data(http.DELETE('/api/v1/orgs/{slug}/items/{key}/comments/{commentId}', { params: { path } }));
    await queries.invalidateQueries({ queryKey: commentsQuery(slug, card.key).queryKey });
  };
  const link = `${location.origin}/o/${slug}/p/${context.project}/items/${card.key}#${comment.id}`;
  return (
    <article id={comment.id} className={styles.comment} aria-label={plain(comment.author.name)}>
      <Avatar name={comment.author.name} agent={comment.author.agent} size={24} decorative />
      <div className={styles.content}>
        <header className={styles.head}>
          <span className={cx(styles.author, comment.author.agent && styles.agent)}>
            {plain(comment.author.name)}
          </span>
          <a href={`#${comment.id}`} className={styles.when}>
            <DateTime at={comment.createdAt} />
          </a>
          {comment.editedAt && <span className={styles.when}>{t('edited')}</span>}
          {unsent && <span className={styles.when}>{t('unsent')}</span>}
          <span className={styles.tools}>
            {comment.canReact && changeable && <ReactionPicker {...context} comment={comment} />}
            {onReply && !unsent && (
              <IconButton icon={Reply} size="small" label={t('reply')} onClick={onReply} />
            )}
            {!unsent && (
              <Menu
                align="end"
                trigger={({ ref, ...props }) => (
                  <IconButton {...props} ref={ref} icon={Ellipsis} size="small" label={t('more')} />
                )}
                entries={() => [
                  { label: t('copyLink'), run: () => void copy(link) },
                  ...(comment.canEdit && changeable
                    ? [{ label: t('edit'), run: () => setEditing(true) }]
                    : []),
                  ...(comment.canDelete && changeable
                    ? ([
                        '-' as const,
                        { label: t('delete'), danger: true, run: () => setDeleting(true) },
                      ] as const)
                    : []),
                ]}
              />
            )}
          </span>
        </header>
        {editing ? (
          <EditComment {...context} comment={comment} onDone={() => setEditing(false)} />
        ) : (
          <Prose small html={comment.html} text={comment.body} names={mentioned} />
        )}
        <Unreached comment={comment.id} />
        <CommentFiles slug={slug} item={card.key} comment={comment.id} />
        {access.operate && !unsent && <Asked slug={slug} item={card.key} comment={comment} />}
        <Reactions {...context} comment={comment} may={comment.canReact && changeable} />
      </div>
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('deleteCommentTitle')}
        action={t('delete')}
        run={remove}
      >
        {t('deleteCommentDetail')}
      </Confirm>
    </article>
  );
}

/** Why mentions of a comment that was just sent reach nobody. */
function Unreached({ comment }: { comment: string }) {
  const { data: reach = [] } = useQuery(reachQuery(comment));
  const reasons = reach.flatMap(({ reason }) => (reason ? [plain(reason)] : []));
  const all = reasons.join(' ');
  useEffect(() => {
    if (all) announce(all);
  }, [all]);
  return reasons.map((reason) => (
    <p key={reason} className={styles.unreached}>
      <Icon of={CircleSlash} size={14} />
      {reason}
    </p>
  ));
}

function CommentFiles({ slug, item, comment }: { slug: string; item: string; comment: string }) {
  const { data: page } = useQuery(attachmentsQuery(slug, item));
  const files = (page?.items ?? []).filter((file) => file.committed && file.comment === comment);
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={file.id}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  );
}

/** What became of the agents that the comment mentions: what one waits for, why another started nothing. */
function Asked({ slug, item, comment }: { slug: string; item: string; comment: Comment }) {
  const agents = comment.mentions.some(({ agent }) => agent);
  const { operate } = useAccess(slug);
  const { data: all } = useQuery({ ...mentionsQuery(slug, item), enabled: agents });
  const mine =
    all?.filter((mention) => mention.comment === comment.id && mention.status !== 'withdrawn') ?? [];
  if (!agents || mine.length === 0) return null;
  return (
    <ul className={styles.asked}>
      {mine.map((mention) => (
        <li key={mention.agent.id} className={mention.status === 'waiting' ? styles.waiting : undefined}>
          <Icon of={ASKED[mention.status] ?? Hourglass} size={12} />
          <span>
            {askedSentence(mention)}
            {operate && mention.status !== 'started' && (
              <MendLink sentence={mention.reason ?? ''} slug={slug} project={projectOf(item)} />
            )}{' '}
            {mention.run && (
              <Link {...address(`/o/${slug}/factory/runs/${mention.run}`)} className="link">
                {t('openRun')}
              </Link>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

const ASKED: Record<string, LucideIcon> = { waiting: Hourglass, started: Play, dropped: CircleSlash };

function askedSentence({ agent, status, reason }: AgentMention): string {
  const words = { agent: plain(agent.name), why: plain(reason ?? '') };
  if (status === 'started') return t('mentionStarted', words);
  return t(status === 'waiting' ? 'mentionWaiting' : 'mentionDropped', words).trim();
}

function useReact({ slug, card }: ItemContext, comment: Comment) {
  const { id, displayName } = useMe();
  return (emoji: string) => {
    const held = comment.reactions.find((reaction) => reaction.emoji === emoji)?.reactedByMe ?? false;
    react(`${slug}/${card.key}/${comment.id}`, {
      slug,
      item: card.key,
      comment: comment.id,
      emoji,
      add: !held,
      by: { id, displayName },
    });
  };
}

function Reactions({ comment, may, ...context }: ItemContext & { comment: Comment; may: boolean }) {
  const toggle = useReact(context, comment);
  if (comment.reactions.length === 0) return null;
  return (
    <div className={styles.reactions}>
      {comment.reactions.map(({ emoji, count, reactedByMe, users }) => {
        const names = users.map((user) => plain(user.displayName)).join(', ');
        return (
          <button
            key={emoji}
            type="button"
            className={styles.reaction}
            aria-pressed={reactedByMe}
            data-tip={names}
            disabled={!may}
            onClick={() => toggle(emoji)}
          >
            {emoji} {count} <span className="visually-hidden">{t('reactionBy', { names })}</span>
          </button>
        );
      })}
    </div>
  );
}

function ReactionPicker({ comment, ...context }: ItemContext & { comment: Comment }) {
  const toggle = useReact(context, comment);
  return (
    <Popover
      label={t('react')}
      align="end"
      trigger={({ ref, ...props }) => (
        <IconButton {...props} ref={ref} icon={SmilePlus} size="small" label={t('react')} />
      )}
    >
      {(close) => (
        <div className={styles.picker}>
          {EMOJIS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className={styles.emoji}
              aria-label={emoji}
              onClick={() => {
                toggle(emoji);
                close();
              }}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
    </Popover>
  );
}

function EditComment({
  comment,
  onDone,
  ...context
}: ItemContext & { comment: Comment; onDone: () => void }) {
  const { slug, card, frozen } = context;
  const names = useNames(slug, context.project);
  const [begun] = useState(comment.body);
  const draft = useDraft(draftOf.commentEdit(slug, card.key, comment.id), begun);
  const naming = useSuggestions(context);
  const { text } = draft;
  const base = draft.base ?? begun;
  const refusal = frozen ?? tooLong(text, MOST.comment);
  const close = () => {
    draft.clear();
    onDone();
  };
  const save = () => {
    if (refusal) return;
    if (text.trim() && text !== base) {
      const { id } = comment;
      // The version of what the text was begun from is not known any more if another tab wrote since, and 0 is stale.
      const version = comment.body === base ? comment.version : 0;
      editComment(`${slug}/${card.key}/${id}`, { slug, item: card.key, id, version, body: text, base });
    }
    close();
  };
  if (!draft.ready) return null;
  return (
    <div className={styles.editing}>
      <MarkdownEditor
        render={(text) => renderText(slug, text)}
        names={names}
        label={t('edit')}
        autoFocus
        rows={3}
        value={text}
        onChange={draft.write}
        onSubmit={save}
        onCancel={text === begun ? close : onDone}
        {...naming}
      />
      <div className={styles.foot}>
        <Button kind="primary" size="small" refusal={refusal} onClick={save}>
          {t('save')}
        </Button>
        <Button kind="ghost" size="small" onClick={close}>
          {t('cancel')}
        </Button>
        <TextLength text={text} most={MOST.comment} />
      </div>
    </div>
  );
}
