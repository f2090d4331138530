import type { Run } from '@/api/types';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { DateTime, useMinute } from '@/ui/DateTime';
import { Row } from '@/ui/Rows';
import { cost, worked } from './figures';
import { RunChip } from './RunChip';
import styles from './RunRow.module.css';
import { t } from './row-strings';

export type KindKey = 'kind_implement' | 'kind_refine' | 'kind_continue' | 'kind_retry' | 'kind_followUp';

/** A run in a list: one press away from its log. */
export function RunRow({ run, withItem = true }: { run: Run; withItem?: boolean }) {
  useMinute();
  const agent = plain(run.agent.name);
  return (
    <Row
      glyph={<Avatar name={agent} agent size={20} />}
      href={`/o/${run.organization}/factory/runs/${run.id}`}
      title={withItem ? `${run.item} · ${plain(run.playbook.name)}` : plain(run.playbook.name)}
      tags={<RunChip run={run} operator />}
      detail={<Detail run={run} agent={agent} />}
      facts={[
        end('worked', worked(run)),
        end('cost', cost(run.cost)),
        <DateTime key="at" at={run.finishedAt ?? run.startedAt ?? run.queuedAt} className={styles.end} />,
      ]}
    />
  );
}

function end(key: string, text: string | undefined) {
  return (
    text && (
      <span key={key} className={styles.end}>
        {text}
      </span>
    )
  );
}

function Detail({ run, agent }: { run: Run; agent: string }) {
  const kind = run.kind === 'implement' ? undefined : t(`kind_${run.kind}` as KindKey);
  return [kind, agent, run.runner && plain(run.runner.name)].filter(Boolean).join(' · ');
}
