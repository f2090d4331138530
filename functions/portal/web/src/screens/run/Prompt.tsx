import { FileText, UserRound } from 'lucide-react';
import { useMemo } from 'react';
import type { Run } from '@/api/types';
import { CopyButton } from '@/ui/CopyField';
import { Icon } from '@/ui/Icon';
import { EmptyState } from '@/ui/states';
import { promptParts } from './prompt';
import styles from './run.module.css';
import { t } from './strings';

/** The prompt exactly as it was sent, with the texts that people and agents wrote marked. */
export function Prompt({ run }: { run: Run }) {
  const parts = useMemo(() => promptParts(run.promptSnapshot ?? '', run.id), [run.promptSnapshot, run.id]);
  if (!run.promptSnapshot) return <EmptyState icon={FileText} title={t('noPrompt')} />;
  return (
    <div className={styles.reading}>
      <div className={styles.readingHead}>
        <p className="meta">{t('promptAbout')}</p>
        <CopyButton value={run.promptSnapshot} label={t('prompt')} />
      </div>
      {parts.map((part, at) => (
        <div key={at} className={part.untrusted === undefined ? undefined : styles.untrusted}>
          {part.untrusted !== undefined && (
            <p className={styles.origin}>
              <Icon of={UserRound} size={12} />
              {t('untrusted', { what: part.untrusted })}
            </p>
          )}
          <pre className={styles.prompt}>{part.text.replace(/^\n+|\n+$/g, '')}</pre>
        </div>
      ))}
    </div>
  );
}
