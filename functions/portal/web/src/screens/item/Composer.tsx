import { useState } from 'react';
import type { Comment } from '@/api/types';
import { useCommands } from '@/commands/registry';
import { useMe } from '@/data/me';
import { renderText } from '@/data/render';
import { useNames } from '@/items/useNames';
import { MOST } from '@/lib/length';
import { plain } from '@/lib/text';
import { MendLink } from '@/runs/MendLink';
import { useMentionEffect } from '@/runs/mentions';
import { draftOf, useDraft } from '@/store/drafts';
import { createComment } from '@/store/kinds/comment';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { MarkdownEditor, prepareEditor } from '@/ui/MarkdownEditor';
import { TextLength, tooLong } from '@/ui/TextLength';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';
import { useSuggestions } from './suggestions';
import { UploadRows } from './UploadRow';
import { useUploads } from './uploads';

type ComposerProps = ItemContext & { replyTo: Comment | null; onDone?: () => void };

/** Writes a comment or a reply, and says before it is sent what a mention in it starts. */
export function Composer({ replyTo, onDone, ...context }: ComposerProps) {
  const { slug, card, frozen } = context;
  const me = useMe();
  const [open, setOpen] = useState(replyTo !== null);
  const draft = useDraft(draftOf.comment(slug, card.key, replyTo?.id));
  const files = useDraft(draftOf.commentFiles(slug, card.key, replyTo?.id));
  const names = useNames(slug, context.project);
  const naming = useSuggestions(context);
  const { upload, uploads, done, forget } = useUploads(slug, card.key, true);
  const effect = useMentionEffect({ ...context, item: card.key }, draft.text, replyTo?.id);
  const waits = uploads.length > 0 ? t('uploadsFirst') : undefined;
  const refusal = frozen ?? waits ?? (draft.text.trim() ? tooLong(draft.text, MOST.comment) : t('write'));
  const send = () => {
    const body = draft.text.trim();
    if (refusal) return;
    const author = { id: me.id, name: me.displayName, agent: false };
    const kept = files.text.split(' ').filter(Boolean);
    const attachments = [...new Set([...kept, ...done.map((attachment) => attachment.id)])];
    createComment(`${slug}/${card.key}/comments`, {
      slug,
      item: card.key,
      body,
      replyTo: replyTo?.id ?? null,
      attachments,
      author,
    });
    draft.clear();
    files.clear();
    forget();
    setOpen(replyTo !== null);
    onDone?.();
  };
  useCommands(
    replyTo || frozen
      ? []
      : [{ id: 'item.comment', title: t('write'), group: 'item', run: () => setOpen(true) }],
  );
  const written = draft.ready && draft.text !== '';
  // Nothing new is begun while nothing can be changed, but a text that is there already is not hidden.
  if (frozen && !written) return null;
  if (!open && !written && uploads.length === 0) {
    return (
      <div className={styles.composer}>
        <Avatar name={me.displayName} picture={me.avatarKey} size={24} decorative />
        <button
          type="button"
          className={styles.composerClosed}
          onPointerEnter={prepareEditor}
          onFocus={prepareEditor}
          onClick={() => setOpen(true)}
        >
          {t('write')}
        </button>
      </div>
    );
  }
  return (
    <div className={styles.composer}>
      <Avatar name={me.displayName} picture={me.avatarKey} size={24} decorative />
      <div className={styles.composerBody}>
        <MarkdownEditor
          render={(text) => renderText(slug, text)}
          names={names}
          label={replyTo ? t('replyTo', { name: plain(replyTo.author.name) }) : t('write')}
          placeholder={replyTo ? t('replyTo', { name: plain(replyTo.author.name) }) : t('write')}
          autoFocus={open}
          rows={3}
          value={draft.text}
          onChange={draft.write}
          onSubmit={send}
          onCancel={() => (replyTo ? onDone?.() : setOpen(false))}
          onFile={upload}
          {...naming}
        />
        <UploadRows uploads={uploads} />
        <div className={styles.formFoot}>
          <Button kind="primary" size="small" data-tip-keys="mod+enter" refusal={refusal} onClick={send}>
            {replyTo ? t('sendReply') : t('send')}
          </Button>
          {replyTo && (
            <Button kind="ghost" size="small" onClick={onDone}>
              {t('cancel')}
            </Button>
          )}
          <span className={effect ? styles.effectAgent : 'meta'} aria-live="polite">
            {effect}
            {effect && context.access.operate && (
              <MendLink sentence={effect} slug={slug} project={context.project} />
            )}
          </span>
          <TextLength text={draft.text} most={MOST.comment} />
        </div>
      </div>
    </div>
  );
}
