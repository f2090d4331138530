import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Milestone } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Crumb, Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { projectStatsQuery } from '@/data/insights';
import { milestonesQuery } from '@/data/milestones';
import { referTo } from '@/filter/language';
import { address } from '@/lib/address';
import { dayAfter } from '@/lib/forecast';
import { plain, projectOf } from '@/lib/text';
import { dayOf, serverNow } from '@/lib/times';
import { ForecastLine } from '@/progress/ForecastLine';
import { forecastOf } from '@/progress/forecasts';
import { ProgressBar } from '@/progress/ProgressBar';
import { t as progress } from '@/progress/strings';
import { BurnUpChart } from '@/progress/WeekCharts';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { ListLane } from '../items/Lanes';
import { STATE_LANES } from '../items/lanes';
import { MilestoneForm } from '../milestones/MilestoneForm';
import styles from './milestone.module.css';
import { t } from './strings';

const WEEKS = 12;

/** A goal of a project: how far it is, when it may be reached, and its items. */
export default function MilestoneScreen() {
  const { slug, project, milestone: id } = useRouteParams('slug', 'project', 'milestone');
  const { data, error, refetch } = useQuery(milestonesQuery(slug, project));
  const { write, frozen } = useItemAccess(slug, project);
  const [editing, edit] = useState(false);
  const milestone = data?.find((one) => one.id === id);
  if (data && !milestone) return <Missing />;
  if (!milestone)
    return (
      <Page title={t('milestones')}>
        {error ? (
          <ProblemPanel error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton label={t('loading')} rows={8} height={40} />
        )}
      </Page>
    );
  return (
    <Page
      title={plain(milestone.name)}
      crumbs={
        <Crumb>
          <Link {...address(`/o/${slug}/p/${project}/milestones`)}>{t('milestones')}</Link>
        </Crumb>
      }
      actions={
        write && (
          <Button size="small" refusal={frozen} onClick={() => edit(true)}>
            {t('change')}
          </Button>
        )
      }
    >
      <div className={styles.page}>
        <Reached slug={slug} project={project} milestone={milestone} />
        <Items slug={slug} project={project} milestone={milestone} />
      </div>
      {editing && (
        <MilestoneForm slug={slug} project={project} milestone={milestone} onClose={() => edit(false)} />
      )}
    </Page>
  );
}

interface PartProps {
  slug: string;
  project: string;
  milestone: Milestone;
}

function Reached({ slug, project, milestone }: PartProps) {
  const { due, description, state, progress: of } = milestone;
  const stats = useQuery(projectStatsQuery(slug, project, WEEKS, milestone.id));
  const weeks = stats.data?.weeks ?? [];
  const weekly = weeks.map(({ resolved }) => resolved);
  const done = of.resolved + of.closed;
  const found = stats.data && forecastOf(of.backlog + of.active, weekly);
  const day = due && dayOf(`${due}T00:00`);
  const late = due && found && found.safe > 0 && dayAfter(found.safe, serverNow()) > new Date(`${due}T23:59`);
  return (
    <>
      {late && state !== 'closed' && <Banner kind="warn">{t('late', { day: day ?? '' })}</Banner>}
      <Section title={t('progress')}>
        <div className={styles.progress}>
          <p className={styles.facts}>
            <span>{day ? t('due', { day }) : t('noDue')}</span>
            <span>{progress('counts', { open: of.backlog, active: of.active, done })}</span>
            {state === 'closed' && <Chip>{t('closed')}</Chip>}
          </p>
          <ProgressBar active={of.active} done={done} all={of.items} />
          {stats.data && of.items > 0 && <ForecastLine left={of.backlog + of.active} weekly={weekly} />}
          {description && <p className={styles.about}>{plain(description)}</p>}
        </div>
      </Section>
      <Section title={t('burnup')}>
        {stats.error && !stats.data && (
          <ProblemPanel error={stats.error} retry={() => void stats.refetch()} />
        )}
        {stats.data && <BurnUpChart weeks={weeks} file={`${project}-${plain(milestone.name)}-burn-up`} />}
      </Section>
    </>
  );
}

function Items({ slug, project, milestone }: PartProps) {
  const navigate = useNavigate();
  const asked = { slug, filter: `milestone:${milestone.id}`, q: '', sort: '-priority' };
  const open = (item: string) =>
    void navigate({
      to: '/o/$slug/p/$project/items/$item',
      params: { slug, project: projectOf(item), item },
    });
  const list = `/o/${slug}/p/${project}/list?filter=${encodeURIComponent(`milestone:${referTo(milestone)}`)}`;
  return (
    <Section
      title={t('items')}
      flush
      actions={
        <Link {...address(list)} className="link">
          {t('inList')}
        </Link>
      }
    >
      {milestone.progress.items === 0 && <p className={styles.nothing}>{t('empty')}</p>}
      {milestone.progress.items > 0 &&
        STATE_LANES.map((lane) => (
          <ListLane key={lane.id} asked={asked} lane={lane} bare={false} tabbable={undefined} onOpen={open} />
        ))}
    </Section>
  );
}
