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
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../factory/factory.module.css';
import { RunnerState } from '../factory/RunnerState';
import { DeleteRunner, DisableRunner, RenameRunner, RotateRunner } from './dialogs';
import { type Machine, machinesOf } from './machines';
import { NewRunner } from './NewRunner';
import { t } from './strings';

export type Asked = { what: 'rename' | 'rotate' | 'disable' | 'delete'; runner: Runner } | { what: 'new' };

/** The machines that work, each once: what it can do, whether it is there, how busy it is. */
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
          {machinesOf(runners).map((machine) => (
            <MachineRow
              key={machine.id}
              slug={slug}
              machine={machine}
              live={runs?.items}
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

/** How many runs it works on now. */
function loadOf(runner: Runner, runs: readonly Run[] | undefined): number {
  return (runs ?? []).filter(
    (run) => run.runner?.id === runner.id && (run.status === 'running' || run.status === 'assigned'),
  ).length;
}

interface MachineRowProps {
  slug: string;
  machine: Machine;
  live: readonly Run[] | undefined;
  /** Missing for who may not change runners. */
  ask: ((asked: Asked) => void) | undefined;
  frozen: string | undefined;
}

/** A machine: what it is and can do. Its only registration is it; several are rows inside it. */
function MachineRow({ machine, ...more }: MachineRowProps) {
  const { name, runners, latest, harnesses, online, disabled, service } = machine;
  const only = runners.length === 1 ? latest : undefined;
  const label = only?.label ? plain(only.label) : name;
  return (
    <Row
      dimmed={disabled}
      glyph={<RunnerState runner={{ online, disabled }} />}
      title={name}
      tags={
        <>
          {disabled && <Chip>{t('disabled')}</Chip>}
          {service && <Chip title={t('serviceHint')}>{t('service')}</Chip>}
        </>
      }
      detail={[
        label !== name && label,
        harnesses.map(harnessName).join(', ') || t('noHarness'),
        !only && t('registrations', { n: runners.length }),
      ]
        .filter(Boolean)
        .join(' · ')}
      facts={[
        only ? <Load key="load" runner={only} live={more.live} /> : '',
        <span key="version" className="truncate">
          {[latest.clientVersion, latest.platform].filter(Boolean).join(' · ')}
        </span>,
        <Seen key="seen" runner={latest} />,
      ]}
      actions={only && more.ask && <Actions {...more} ask={more.ask} runner={only} />}
      inside={!only && runners.map((runner) => <RegistrationRow key={runner.id} {...more} runner={runner} />)}
    />
  );
}

type RegistrationProps = Omit<MachineRowProps, 'machine'> & { runner: Runner };

function RegistrationRow({ runner, ...more }: RegistrationProps) {
  return (
    <Row
      dimmed={runner.disabled}
      title={
        <span className={styles.registration}>
          <RunnerState runner={runner} />
          <span className="truncate">{plain(runner.name)}</span>
        </span>
      }
      tags={runner.disabled && <Chip>{t('disabled')}</Chip>}
      facts={[<Load key="load" runner={runner} live={more.live} />, '', <Seen key="seen" runner={runner} />]}
      actions={more.ask && <Actions {...more} ask={more.ask} runner={runner} />}
    />
  );
}

function Load({ runner, live }: { runner: Runner; live: readonly Run[] | undefined }) {
  return runner.parallel ? t('load', { n: loadOf(runner, live), of: runner.parallel }) : null;
}

function Seen({ runner }: { runner: Runner }) {
  return runner.lastSeenAt ? (
    <DateTime at={runner.lastSeenAt} className={styles.end} />
  ) : (
    <span className={styles.end}>{t('never')}</span>
  );
}

function Actions({ slug, runner, ask, frozen }: RegistrationProps & { ask: (asked: Asked) => void }) {
  return (
    <Menu
      align="end"
      entries={() => entries(slug, runner, ask, frozen)}
      trigger={(props) => (
        <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name: plain(runner.name) })} />
      )}
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
