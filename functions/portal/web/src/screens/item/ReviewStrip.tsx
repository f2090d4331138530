import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { itemRunsQuery } from '@/data/factory';
import { AcceptButton } from '@/items/AcceptButton';
import { isOver } from '@/items/states';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { pullRequestNumber } from '@/runs/explain';
import { draftOf, giveDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';

/** After an agent succeeded: what it did, and the ways on. */
export function ReviewStrip({ slug, card, workflow, access, frozen }: ItemContext) {
  const { data: page } = useQuery(itemRunsQuery(slug, card.key));
  // A refinement is reviewed on its own page, and accepts nothing of the work before it.
  const run = page?.items.find(({ kind }) => kind !== 'refine');
  // What was accepted is over.
  if (isOver(card) || run?.status !== 'succeeded') return null;
  const ask = () => giveDraft(draftOf.comment(slug, card.key), `@${run.agent.name} `);
  return (
    <section className={styles.review} aria-label={t('review')}>
      <div className={styles.reviewText}>
        <strong>{t('review')}</strong>
        {run.outcome && <p className={styles.outcome}>{firstParagraph(run.outcome)}</p>}
      </div>
      <div className={styles.reviewActions}>
        {run.pullRequest && (
          <a className={styles.pr} href={run.pullRequest} target="_blank" rel="noreferrer noopener">
            <Icon of={ExternalLink} size={14} />
            {t('openPr')} {pullRequestNumber(run.pullRequest)}
          </a>
        )}
        {access.operate && (
          <Link {...address(`/o/${slug}/factory/runs/${run.id}?tab=changes`)} className={styles.pr}>
            {t('reviewChanges')}
          </Link>
        )}
        {access.start && frozen === undefined && (
          <Button size="small" onClick={ask}>
            {t('askChanges')}
          </Button>
        )}
        <AcceptButton slug={slug} item={card} workflow={workflow} access={access} />
      </div>
    </section>
  );
}

/** What a summary begins with; the run's page has all of it. */
function firstParagraph(text: string): string {
  return plain(text.trim().split(/\n\s*\n/)[0] ?? '');
}
