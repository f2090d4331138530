import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Run } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { useMe } from '@/data/me';
import { plain, projectOf } from '@/lib/text';
import { useMentionEffect } from '@/runs/mentions';
import { createComment } from '@/store/kinds/comment';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { toast } from '@/ui/toasts';
import styles from './changes.module.css';
import { commentOf, type useNotes } from './notes';
import { t } from './strings';

interface ReviewBarProps {
  run: Run;
  review: ReturnType<typeof useNotes>;
  /** Paths in the order of the change. */
  files: readonly string[];
}

/** What becomes of the remarks: a comment that asks the agent for a follow-up, or one that only says them. */
export function ReviewBar({ run, review, files }: ReviewBarProps) {
  const access = useItemAccess(run.organization, run.project);
  const { operate } = access;
  const me = useMe();
  const navigate = useNavigate();
  const [discarding, setDiscarding] = useState(false);
  const { notes, clear } = review;
  const agent = plain(run.agent.name);
  const where = { slug: run.organization, project: run.project, item: run.item, access };
  const effect = useMentionEffect(where, operate ? `@${run.agent.name}` : '');
  const send = (asked: string | undefined) => {
    createComment(`${run.organization}/${run.item}/comments`, {
      slug: run.organization,
      item: run.item,
      body: commentOf(notes, files, asked),
      replyTo: null,
      attachments: [],
      author: { id: me.id, name: me.displayName, agent: false },
    });
    clear();
    const params = { slug: run.organization, project: projectOf(run.item), item: run.item };
    toast(asked ? t('sentAsked', { agent, item: run.item }) : t('sent', { item: run.item }), {
      action: {
        label: t('toItem', { item: run.item }),
        run: () => void navigate({ to: '/o/$slug/p/$project/items/$item', params }),
      },
    });
  };
  return (
    <section className={styles.reviewBar} aria-label={t('review')}>
      <span className={styles.pending} aria-live="polite">
        {t('pending', { n: notes.length })}
        {effect && <span className={styles.effect}>{effect}</span>}
      </span>
      <Button size="small" kind="ghost" onClick={() => setDiscarding(true)}>
        {t('discard')}
      </Button>
      <Button size="small" kind={operate ? 'secondary' : 'primary'} onClick={() => send(undefined)}>
        {t('onlyPost')}
      </Button>
      {operate && (
        <Button size="small" kind="primary" onClick={() => send(run.agent.name)}>
          {t('askAgent', { agent })}
        </Button>
      )}
      <Confirm
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={t('discardTitle')}
        action={t('discard')}
        run={clear}
      >
        <p>{t('discardDetail', { n: notes.length })}</p>
      </Confirm>
    </section>
  );
}
