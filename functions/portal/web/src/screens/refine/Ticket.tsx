import { useMemo } from 'react';
import type { RenderedItem } from '@/api/types';
import type { Refinement } from '@/data/refinement';
import { hunksOf } from '@/lib/lines';
import { useLocal } from '@/lib/local';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Diff } from '@/ui/diff/Diff';
import { priorityName } from '@/ui/glyphs';
import { Prose } from '@/ui/Prose';
import styles from './refine.module.css';
import { t } from './strings';

/** The ticket as it is; beside a proposal, what that would change of it. */
export function Ticket({ item, refinement }: { item: RenderedItem; refinement: Refinement | null }) {
  const open = refinement && refinement.status !== 'confirmed';
  if (open && refinement.proposal) return <Proposal item={item} refinement={refinement} />;
  return (
    <section className={styles.ticket} aria-labelledby="ticket">
      <h2 id="ticket" className={styles.heading}>
        {plain(item.title)}
      </h2>
      {item.body.trim() ? (
        <Prose html={item.html} text={item.body} />
      ) : (
        <p className={styles.about}>{t('noBody')}</p>
      )}
    </section>
  );
}

function Proposal({ item, refinement }: { item: RenderedItem; refinement: Refinement }) {
  const { proposal, agent } = refinement;
  const [split, setSplit] = useLocal('diff.split', false);
  const after = proposal?.description ?? item.body;
  const hunks = useMemo(() => hunksOf(item.body, after), [item.body, after]);
  if (!proposal) return null;
  return (
    <section className={styles.ticket} aria-labelledby="ticket">
      <div className={styles.head}>
        <h2 id="ticket" className={styles.heading}>
          {t('proposal', { agent: plain(agent.name) })}
        </h2>
        <Button size="small" aria-pressed={split} onClick={() => setSplit(!split)}>
          {t(split ? 'unified' : 'split')}
        </Button>
      </div>
      <p className={styles.about}>{t('proposalAbout')}</p>
      <dl className={styles.facts}>
        <Change name={t('titleField')} before={plain(item.title)} after={plain(proposal.title)} />
        <Change
          name={t('priority')}
          before={priorityName(item.priority)}
          after={priorityName(proposal.priority ?? item.priority)}
        />
        <Change
          name={t('labels')}
          before={labels(item.labels)}
          after={labels(proposal.labels ?? item.labels)}
        />
      </dl>
      {hunks.length > 0 ? (
        <Diff hunks={hunks} split={split} />
      ) : (
        <p className={styles.about}>{t('sameDescription')}</p>
      )}
    </section>
  );
}

function Change({ name, before, after }: { name: string; before: string; after: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {before === after ? (
          after
        ) : (
          <>
            <del>{before}</del>
            <ins>{after}</ins>
          </>
        )}
      </dd>
    </>
  );
}

function labels(of: readonly string[]): string {
  return of.map(plain).join(', ') || t('noLabels');
}
