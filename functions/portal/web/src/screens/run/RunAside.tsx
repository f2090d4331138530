import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Run } from '@/api/types';
import { useNamedAgent, useNamedPlaybook } from '@/deletion/named';
import { t as deletion } from '@/deletion/strings';
import { address } from '@/lib/address';
import { useWide } from '@/lib/media';
import { plain } from '@/lib/text';
import { clockTime, serverNow } from '@/lib/times';
import { explain, manualResume, type Remedy } from '@/runs/explain';
import { figuresOf } from '@/runs/figures';
import { harnessName } from '@/runs/harnesses';
import { RunChip } from '@/runs/RunChip';
import type { KindKey } from '@/runs/RunRow';
import { t as kindT } from '@/runs/row-strings';
import { Avatar } from '@/ui/Avatar';
import { Chip } from '@/ui/Chip';
import { CopyField } from '@/ui/CopyField';
import { DateTime, useMinute } from '@/ui/DateTime';
import { Facts } from '@/ui/Section';
import styles from './run.module.css';
import { useStarter } from './starter';
import { t } from './strings';
import { Timeline } from './Timeline';

/** What happened and what to do, how it went, and what is known of it. */
export function RunAside({ run, siblings }: { run: Run; siblings: Run[] }) {
  const wide = useWide();
  const more = (
    <>
      <Timeline run={run} />
      <RunFacts run={run} />
      <Resume run={run} />
      <Chain run={run} siblings={siblings} />
    </>
  );
  return (
    <aside className={styles.aside} aria-label={t('facts')}>
      <Situation run={run} />
      {wide ? (
        more
      ) : (
        <details className={styles.fold}>
          <summary>{t('details')}</summary>
          <div className={styles.folded}>{more}</div>
        </details>
      )}
    </aside>
  );
}

/** For who wants to go on in the run's workspace by hand. */
function Resume({ run }: { run: Run }) {
  const resume = manualResume(run, serverNow());
  if (!resume) return null;
  return (
    <details className={styles.fold}>
      <summary>{t('resumeLabel')}</summary>
      <div className={styles.resume}>
        <p className="meta">{t('resume', { until: clockTime(resume.until) })}</p>
        <CopyField label={t('resumeLabel')} value={resume.command} lines />
      </div>
    </details>
  );
}

function Situation({ run }: { run: Run }) {
  useMinute();
  const said = explain(run, { operator: true });
  return (
    <section className={styles.situation}>
      <RunChip run={run} operator />
      <p className={styles.happened}>{said.happened}</p>
      {run.failureDetail && run.failureDetail !== said.happened && (
        <p className={styles.detail}>{plain(run.failureDetail)}</p>
      )}
      {said.next && (
        <p className={styles.next}>
          {said.next} {run.continuesAt && <Countdown to={Date.parse(run.continuesAt)} />}
        </p>
      )}
      {said.command && <CopyField label={t('command')} value={said.command} lines />}
      <Remedies run={run} remedies={said.remedies} />
    </section>
  );
}

/** Seconds until the service goes on by itself. */
function Countdown({ to }: { to: number }) {
  const [left, setLeft] = useState(() => to - serverNow());
  useEffect(() => {
    const timer = setInterval(() => setLeft(to - serverNow()), 1_000);
    return () => clearInterval(timer);
  }, [to]);
  if (left <= 0) return <span>{t('anyMoment')}</span>;
  const seconds = Math.ceil(left / 1000);
  return (
    <span className="tabular">
      {t('in', { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` })}
    </span>
  );
}

/** Pages where the cause is mended. What starts something is a button in the head. */
function Remedies({ run, remedies }: { run: Run; remedies: Remedy[] }) {
  const org = `/o/${run.organization}`;
  const project = `${org}/p/${run.project}`;
  const places: Partial<Record<Remedy, [string, string]>> = {
    runners: [t('toRunners'), `${org}/factory/runners`],
    agents: [t('toAgents'), `${org}/factory/agents`],
    budgets: [t('toBudgets'), `${org}/factory/budgets`],
    playbook: [t('toPlaybook'), `${org}/factory/playbooks/${run.playbook.id}?project=${run.project}`],
    settings: [t('toSettings'), `${project}/settings/factory`],
    followUp: [t('toItem'), `${project}/items/${run.item}`],
    item: [t('toItem'), `${project}/items/${run.item}`],
  };
  const links = remedies.map((remedy) => places[remedy]).filter((place) => place !== undefined);
  if (links.length === 0) return null;
  return (
    <div className={styles.links}>
      {links.map(([label, href]) => (
        <Link key={href} {...address(href)} className="link">
          {label}
        </Link>
      ))}
    </div>
  );
}

function RunFacts({ run }: { run: Run }) {
  useMinute();
  const agent = useNamedAgent(run.organization, run.agent.id);
  const playbook = useNamedPlaybook(run.organization, run.project, run.playbook.id);
  const starter = useStarter(run);
  return (
    <Facts
      of={[
        [t('kind'), run.kind === 'implement' ? undefined : kindT(`kind_${run.kind}` as KindKey)],
        [
          t('agent'),
          <span key="agent" className={styles.person}>
            <Person name={run.agent.name} agent />
            {agent?.deleted && <Chip>{deletion('deletedChip')}</Chip>}
          </span>,
        ],
        [
          t('playbook'),
          playbook?.deleted ? (
            <span key="playbook" className={styles.person}>
              {plain(run.playbook.name)}
              <Chip>{deletion('deletedChip')}</Chip>
            </span>
          ) : (
            <Link
              key="playbook"
              className="link"
              {...address(
                `/o/${run.organization}/factory/playbooks/${run.playbook.id}?project=${run.project}`,
              )}
            >
              {plain(run.playbook.name)}
            </Link>
          ),
        ],
        [t('harness'), harnessName(run.harness)],
        [t('runner'), run.runner ? plain(run.runner.name) : undefined],
        [
          t('startedBy'),
          starter && (
            <Link key="starter" className="link" {...address(starter.href)}>
              {t(starter.what, { name: plain(starter.name) })}
            </Link>
          ),
        ],
        [
          // A rule and a schedule start with the rights of who saved them.
          t(starter && starter.what !== 'comment' ? 'onBehalfOf' : 'requestedBy'),
          <Person key="by" name={run.requestedBy.name} agent={run.requestedBy.agent} />,
        ],
        [t('branch'), <CopyField key="branch" label={t('branch')} value={run.branch} />],
        [
          t('delivery'),
          run.deliveryMode === 'pushToDefaultBranch' ? (
            <Chip key="delivery" tone="bad">
              {t('direct', { branch: run.directTarget ?? '' })}
            </Chip>
          ) : undefined,
        ],
        ...figuresOf(run),
      ]}
    />
  );
}

function Person({ name, agent }: { name: string; agent: boolean }) {
  return (
    <span className={styles.person}>
      <Avatar name={name} agent={agent} size={16} decorative />
      {plain(name)}
    </span>
  );
}

/** The other runs of the item, so that a chain of attempts reads in order. */
function Chain({ run, siblings }: { run: Run; siblings: Run[] }) {
  if (siblings.length < 2) return null;
  return (
    <section>
      <h2 className={styles.heading}>{t('runsOf', { item: run.item })}</h2>
      <ol className={styles.chain}>
        {siblings.map((sibling) => (
          <li key={sibling.id} aria-current={sibling.id === run.id ? 'true' : undefined}>
            <Link
              {...address(`/o/${run.organization}/factory/runs/${sibling.id}`)}
              className={styles.sibling}
            >
              <RunChip run={sibling} operator bare />
              {sibling.kind !== 'implement' && (
                <span className="meta">{kindT(`kind_${sibling.kind}` as KindKey)}</span>
              )}
              <DateTime at={sibling.queuedAt} className="meta" />
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
