import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CalendarClock, Ellipsis } from 'lucide-react';
import type { Schedule } from '@/api/types';
import { useSearchParams } from '@/app/params';
import { act, refresh } from '@/data/act';
import { playbooksQuery } from '@/data/factory';
import { changeSchedule, deleteSchedule, fireSchedule, schedulesQuery } from '@/data/schedules';
import { useNamedAgent, useNamedPlaybook } from '@/deletion/named';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { ZONE } from '@/runs/schedule';
import { IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import styles from '../factory/factory.module.css';
import { type ListProps, ProjectPage } from '../factory/ProjectPage';
import { Firings } from './Firings';
import { inZone, spoken } from './rhythm';
import { ScheduleForm } from './ScheduleForm';
import { t } from './strings';

/** What makes items at their times and hands them to agents, and what came of it. */
export default function Schedules() {
  return (
    <ProjectPage<Schedule>
      title={t('schedules')}
      icon={CalendarClock}
      make={t('new')}
      command="schedule.new"
      noProject={t('noProject')}
      own={OWN}
      list={(props) => <List {...props} />}
      dialog={(asked, about) =>
        asked === 'new' ? (
          <ScheduleForm {...about} />
        ) : 'edit' in asked ? (
          <ScheduleForm {...about} schedule={asked.edit} />
        ) : (
          <Remove {...about} schedule={asked.remove} />
        )
      }
    />
  );
}

const OWN = ['schedule'];

function List({ slug, project, configure, frozen, ask }: ListProps<Schedule>) {
  const schedules = useQuery(schedulesQuery(slug, project));
  const playbooks = useQuery(playbooksQuery(slug, project));
  const [search, change] = useSearchParams();
  const navigate = useNavigate();
  const error = schedules.error ?? playbooks.error;
  if (error) return <ProblemPanel error={error} retry={() => void schedules.refetch()} />;
  if (!schedules.data || !playbooks.data) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={4} height={48} />
      </div>
    );
  }
  if (playbooks.data.length === 0 && schedules.data.length === 0) {
    const to = `/o/${slug}/factory/playbooks?project=${project}`;
    return (
      <EmptyState
        icon={CalendarClock}
        title={t('noPlaybook')}
        action={{
          label: t('toPlaybooks'),
          run: () => void navigate({ ...address(to), state: { command: 'playbook.new' } }),
        }}
      />
    );
  }
  if (schedules.data.length === 0) {
    const action = configure && !frozen ? { label: t('new'), run: () => ask('new') } : undefined;
    return (
      <EmptyState icon={CalendarClock} title={t('none')} action={action}>
        {t('noneHint')}
      </EmptyState>
    );
  }
  const shown = schedules.data.find(({ id }) => id === search.schedule);
  return (
    <>
      <Rows label={t('schedules')}>
        {schedules.data.map((schedule) => (
          <ScheduleRow
            key={schedule.id}
            slug={slug}
            project={project}
            schedule={schedule}
            configure={configure}
            frozen={frozen}
            ask={ask}
          />
        ))}
      </Rows>
      {shown && (
        <Firings slug={slug} project={project} schedule={shown} onHide={() => change({ schedule: '' })} />
      )}
    </>
  );
}

interface ScheduleRowProps extends ListProps<Schedule> {
  schedule: Schedule;
}

function ScheduleRow({ slug, project, schedule, configure, frozen, ask }: ScheduleRowProps) {
  const playbook = useNamedPlaybook(slug, project, schedule.playbook);
  const agent = useNamedAgent(slug, schedule.agent);
  const [, change] = useSearchParams();
  const name = plain(schedule.name);
  const lists = [
    ['schedules', slug, project],
    ['schedule-firings', slug, project, schedule.id],
  ];
  const turn = (paused: boolean) =>
    void act(() => changeSchedule(slug, project, schedule, { paused }), ...lists);
  const fire = () =>
    void act(
      async () => {
        const { item, skippedReason } = await fireSchedule(slug, project, schedule);
        toast(item ? t('fired', { item }) : t('firedNothing', { reason: plain(skippedReason ?? '') }));
      },
      ...lists,
    );
  const show = { label: t('showFirings'), run: () => change({ schedule: schedule.id }) };
  const own = [
    { label: t('fire'), refusal: frozen, run: fire },
    { label: t('edit'), refusal: frozen, run: () => ask({ edit: schedule }) },
    {
      label: t(schedule.paused ? 'resume' : 'pause'),
      refusal: frozen,
      run: () => turn(!schedule.paused),
    },
    { label: t('delete'), danger: true, refusal: frozen, run: () => ask({ remove: schedule }) },
  ];
  const sentence = t('sentence', {
    when: spoken(schedule.cron),
    zone: schedule.timeZone,
    playbook: playbook?.name ?? t('somePlaybook'),
    title: plain(schedule.title),
  });
  return (
    <Row
      dimmed={schedule.paused}
      glyph={<Icon of={CalendarClock} />}
      title={name}
      tags={schedule.paused && <Chip>{t('paused')}</Chip>}
      detail={
        <>
          <p>{sentence}</p>
          {schedule.pausedReason && <p>{plain(schedule.pausedReason)}</p>}
          <Next schedule={schedule} />
          <LastFiring schedule={schedule} />
        </>
      }
      facts={[
        agent ? t('as', { agent: agent.name }) : t('asDefault'),
        t('savedBy', { name: plain(schedule.savedBy.name) }),
      ]}
      actions={
        <Menu
          align="end"
          entries={() => (configure ? [show, '-', ...own] : [show])}
          trigger={(props) => (
            <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
          )}
        />
      }
    />
  );
}

/** When it is due next, by the clocks of its zone, and by the viewer's where those differ. */
function Next({ schedule: { nextRuns, timeZone, paused } }: { schedule: Schedule }) {
  const next = nextRuns[0];
  if (!next) return paused ? null : <p>{t('notDue')}</p>;
  const there = inZone(next, timeZone);
  const here = inZone(next, ZONE);
  return (
    <p>
      <time dateTime={next}>{t('next', { at: there })}</time>
      {here !== there && ` · ${t('nextYours', { at: here })}`}
    </p>
  );
}

/** What came of it the last time. */
function LastFiring({ schedule: { lastItem, lastSkippedReason } }: { schedule: Schedule }) {
  const said = lastSkippedReason
    ? t('lastSkipped', { reason: plain(lastSkippedReason) })
    : lastItem
      ? t('lastStarted', { item: lastItem })
      : t('neverFired');
  return <p>{said}</p>;
}

interface RemoveProps {
  slug: string;
  project: string;
  schedule: Schedule;
  onClose: () => void;
}

function Remove({ slug, project, schedule, onClose }: RemoveProps) {
  const run = async () => {
    await deleteSchedule(slug, project, schedule);
    await refresh(['schedules', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(schedule.name) })}
      action={t('delete')}
      run={run}
    >
      <p>{t('deleteDetail')}</p>
    </Confirm>
  );
}
