import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Run, Runner } from '@/api/types';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { act } from '@/data/act';
import { runnersQuery, runsQuery } from '@/data/factory';
import { plain } from '@/lib/text';
import { harnessName } from '@/runs/harnesses';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { Menu, type MenuEntries } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../factory/factory.module.css';
import { RunnerState } from '../factory/RunnerState';
import { DeleteRunner, DisableRunner, RenameRunner, RotateRunner } from './dialogs';
import { NewRunner } from './NewRunner';
import { t } from './strings';

export type Asked = { what: 'rename' | 'rotate' | 'disable' | 'delete'; runner: Runner } | { what: 'new' };

/** The machines that work: what each can do, whether it is there, how busy it is. */
export default function Runners() {
  const { slug } = useRouteParams('slug');
  const { operate, administer, frozen } = useAccess(slug);
  const { data: runners, error, refetch } = useQuery({ ...runnersQuery(slug), enabled: operate });
  const { data: runs } = useQuery({ ...runsQuery(slug, { pageSize: 50 }), enabled: operate });
  const [asked, ask] = useState<Asked>();
  const create = () => ask({ what: 'new' });
  useCommands(
    administer ? [{ id: 'runner.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  const button = administer && (
    <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
      {t('new')}
    </Button>
  );
  return (
    <FactoryPage title={t('runners')} actions={button}>
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !runners ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={4} height={48} />
        </div>
      ) : runners.length === 0 ? (
        <EmptyState
          icon={Server}
          title={t('none')}
          action={administer ? { label: t('new'), run: create } : undefined}
        >
          {administer ? t('noneHint') : t('noneAsk')}
        </EmptyState>
      ) : (
        <Rows label={t('runners')}>
          {byMachine(runners).map((runner) => (
            <RunnerRow
              key={runner.id}
              slug={slug}
              runner={runner}
              load={loadOf(runner, runs?.items)}
              ask={administer ? ask : undefined}
              frozen={frozen}
            />
          ))}
        </Rows>
      )}
      <Asking slug={slug} asked={asked} live={runs?.items} onClose={() => ask(undefined)} />
    </FactoryPage>
  );
}

function Asking({
  slug,
  asked,
  live,
  onClose,
}: {
  slug: string;
  asked: Asked | undefined;
  live: Run[] | undefined;
  onClose: () => void;
}) {
  if (!asked) return null;
  if (asked.what === 'new') return <NewRunner slug={slug} onClose={onClose} />;
  const props = { slug, runner: asked.runner, onClose, load: loadOf(asked.runner, live) };
  if (asked.what === 'rename') return <RenameRunner {...props} />;
  if (asked.what === 'rotate') return <RotateRunner {...props} />;
  if (asked.what === 'disable') return <DisableRunner {...props} />;
  return <DeleteRunner {...props} />;
}

/** Online first, then by name; registrations of one machine stand together. */
function byMachine(runners: readonly Runner[]): Runner[] {
  const machine = (runner: Runner) => runner.machineId ?? runner.id;
  const online = new Set(runners.filter((runner) => runner.online).map(machine));
  return [...runners].sort(
    (a, b) =>
      Number(a.disabled) - Number(b.disabled) ||
      Number(online.has(machine(b))) - Number(online.has(machine(a))) ||
      machine(a).localeCompare(machine(b)) ||
      a.name.localeCompare(b.name),
  );
}

/** How many runs it works on now. */
function loadOf(runner: Runner, runs: readonly Run[] | undefined): number {
  return (runs ?? []).filter(
    (run) => run.runner?.id === runner.id && (run.status === 'running' || run.status === 'assigned'),
  ).length;
}

interface RunnerRowProps {
  slug: string;
  runner: Runner;
  load: number;
  /** Missing for who may not change runners. */
  ask: ((asked: Asked) => void) | undefined;
  frozen: string | undefined;
}

function RunnerRow({ slug, runner, load, ask, frozen }: RunnerRowProps) {
  const name = plain(runner.name);
  const seen = runner.lastSeenAt ? (
    <DateTime at={runner.lastSeenAt} className={styles.end} />
  ) : (
    <span className={styles.end}>{t('never')}</span>
  );
  const harnesses = (runner.harnesses ?? []).map(harnessName).join(', ');
  return (
    <Row
      dimmed={runner.disabled}
      glyph={<RunnerState runner={runner} />}
      title={name}
      tags={
        <>
          {runner.disabled && <Chip>{t('disabled')}</Chip>}
          {runner.service && <Chip title={t('serviceHint')}>{t('service')}</Chip>}
        </>
      }
      detail={[
        runner.label && plain(runner.label) !== name && plain(runner.label),
        harnesses || t('noHarness'),
      ]
        .filter(Boolean)
        .join(' · ')}
      facts={[
        runner.parallel ? t('load', { n: load, of: runner.parallel }) : '',
        <span key="version" className="truncate">
          {[runner.clientVersion, runner.platform].filter(Boolean).join(' · ')}
        </span>,
        seen,
      ]}
      actions={
        ask && (
          <Menu
            align="end"
            entries={() => entries(slug, runner, ask, frozen)}
            trigger={(props) => (
              <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
            )}
          />
        )
      }
    />
  );
}

function entries(
  slug: string,
  runner: Runner,
  ask: (asked: Asked) => void,
  refusal: string | undefined,
): MenuEntries {
  const params = { path: { slug, id: runner.id } };
  const enable = () =>
    void act(
      () =>
        data(
          http.PATCH('/api/v1/orgs/{slug}/runners/{id}', {
            params,
            body: { version: runner.version, disabled: false },
          }),
        ),
      ['runners', slug],
    );
  return [
    { label: t('rename'), refusal, run: () => ask({ what: 'rename', runner }) },
    { label: t('rotate'), refusal, run: () => ask({ what: 'rotate', runner }) },
    '-',
    runner.disabled
      ? { label: t('enable'), refusal, run: enable }
      : { label: t('disable'), refusal, danger: true, run: () => ask({ what: 'disable', runner }) },
    { label: t('delete'), refusal, danger: true, run: () => ask({ what: 'delete', runner }) },
  ];
}
