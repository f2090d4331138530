import { ExternalLink, FileText } from 'lucide-react';
import type { Run } from '@/api/types';
import { isLive } from '@/runs/live';
import { CopyButton } from '@/ui/CopyField';
import { Icon } from '@/ui/Icon';
import { EmptyState } from '@/ui/states';
import styles from './run.module.css';
import { t } from './strings';

/** What came of it, in the agent's words, with where the work is. */
export function Outcome({ run }: { run: Run }) {
  if (!run.outcome) {
    return <EmptyState icon={FileText} title={t(isLive(run) ? 'outcomeLater' : 'noOutcome')} />;
  }
  return (
    <div className={styles.reading}>
      {run.pullRequest && (
        <a className="link" href={run.pullRequest} target="_blank" rel="noreferrer">
          {run.pullRequest} <Icon of={ExternalLink} size={12} className={styles.inline} />
        </a>
      )}
      <div className={styles.readingHead}>
        <p className="meta">{t('outcomeAbout', { agent: run.agent.name })}</p>
        <CopyButton value={run.outcome} label={t('outcome')} />
      </div>
      <div className={styles.outcome}>{run.outcome}</div>
    </div>
  );
}
