import { ExternalLink, Play, Square } from 'lucide-react';
import { useState } from 'react';
import type { Run } from '@/api/types';
import { useAccess } from '@/app/access';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { cancelRun } from '@/data/factory';
import { explain, pullRequestNumber } from '@/runs/explain';
import { isLive } from '@/runs/live';
import { RunActions } from '@/runs/RunActions';
import { StartDialog } from '@/runs/StartDialog';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Accept } from './Accept';
import styles from './run.module.css';
import { t } from './strings';

/** What can be done with the run now. */
export function RunHead({ run }: { run: Run }) {
  const { frozen } = useAccess(run.organization, run.project);
  const [asked, ask] = useState<'cancel' | 'start'>();
  const { remedies } = explain(run, { operator: true });
  const live = isLive(run);
  const again =
    !live &&
    (remedies.includes('start') ||
      remedies.includes('retry') ||
      remedies.includes('followUp') ||
      run.status === 'timedOut');
  useCommands([
    ...(live
      ? [{ id: 'run.cancel', title: t('cancel'), group: 'item' as const, run: () => ask('cancel') }]
      : []),
    ...(again
      ? [
          {
            id: 'run.start',
            title: t('startAgain'),
            group: 'item' as const,
            keys: 'r',
            refusal: frozen,
            run: () => ask('start'),
          },
        ]
      : []),
  ]);
  const number = pullRequestNumber(run.pullRequest);
  return (
    <>
      {run.pullRequest && (
        <a className={styles.request} href={run.pullRequest} target="_blank" rel="noreferrer">
          {number ? t('openNumber', { number }) : t('openRequest')}
          <Icon of={ExternalLink} size={12} />
        </a>
      )}
      {run.status === 'succeeded' && run.kind !== 'refine' && <Accept run={run} />}
      {live && (
        <Button size="small" icon={Square} onClick={() => ask('cancel')}>
          {t('cancel')}
        </Button>
      )}
      <RunActions run={run} refusal={frozen} />
      {again && (
        <Button
          size="small"
          icon={Play}
          kind={remedies.includes('retry') || remedies.includes('continue') ? 'secondary' : 'agent'}
          refusal={frozen}
          onClick={() => ask('start')}
        >
          {t('startAgain')}
        </Button>
      )}
      {asked === 'cancel' && <Cancel run={run} onClose={() => ask(undefined)} />}
      {asked === 'start' && (
        <StartDialog
          slug={run.organization}
          project={run.project}
          item={run.item}
          preset={run}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}

function Cancel({ run, onClose }: { run: Run; onClose: () => void }) {
  const cancel = async () => {
    try {
      await cancelRun(run);
    } finally {
      // Refused because it ended meanwhile: the page shows how.
      await refresh(
        ['run', run.organization, run.id],
        ['runs', run.organization],
        ['item-runs', run.organization, run.item],
      );
    }
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('cancelTitle', { item: run.item })}
      action={t('cancelAction')}
      run={cancel}
    >
      <p>{t(run.status === 'queued' ? 'cancelQueued' : 'cancelRunning')}</p>
    </Confirm>
  );
}
