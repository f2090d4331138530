import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Flag } from 'lucide-react';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { overviewsQuery, projectStatsQuery } from '@/data/insights';
import { recentItemsQuery } from '@/data/items';
import { milestonesQuery } from '@/data/milestones';
import { projectQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { Actors } from '@/progress/Actors';
import { ForecastLine } from '@/progress/ForecastLine';
import { ProgressBar, progressFacts } from '@/progress/ProgressBar';
import { t as progress } from '@/progress/strings';
import { ThroughputChart } from '@/progress/WeekCharts';
import { DateTime } from '@/ui/DateTime';
import { StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Facts, Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from './overview.module.css';
import { t } from './strings';

const WEEKS = 12;

/** A project at a glance: how far it is, when it may be done, who and which agents work on it, what happened lately. */
export default function Overview() {
  const { slug, project: key } = useRouteParams('slug', 'project');
  const project = useQuery(projectQuery(slug, key));
  const overviews = useQuery(overviewsQuery(slug));
  const of = overviews.data?.find((one) => one.key === key);
  if (project.data && !project.data.archived && overviews.data && !of) return <Missing />;
  return (
    <Page title={t('title')} of={plain(project.data?.name ?? key)}>
      <FrozenBar slug={slug} project={project.data} />
      <div className={styles.page}>
        {overviews.error && !overviews.data && (
          <ProblemPanel error={overviews.error} retry={() => void overviews.refetch()} />
        )}
        {!overviews.data && !overviews.error && <Skeleton label={t('loading')} rows={8} height={40} />}
        {of && (
          <>
            <Section title={t('progress')}>
              <Standing {...of} />
            </Section>
            {of.backlog + of.active + of.resolved + of.closed > 0 && <Throughput slug={slug} project={key} />}
            <Milestones slug={slug} project={key} />
            <Section title={t('who')}>
              <Facts
                of={[
                  [
                    t('people'),
                    of.people.length > 0 ? (
                      <Actors key="people" all={of.people} label={t('people')} />
                    ) : (
                      t('nobody')
                    ),
                  ],
                  [
                    t('agents'),
                    of.agents.length > 0 ? (
                      <Actors key="agents" all={of.agents} label={t('agents')} />
                    ) : (
                      t('noAgents')
                    ),
                  ],
                  [t('lastChange'), of.changedAt && <DateTime key="at" at={of.changedAt} />],
                ]}
              />
            </Section>
          </>
        )}
        <Lately slug={slug} project={key} />
      </div>
    </Page>
  );
}

interface StandingProps {
  backlog: number;
  active: number;
  resolved: number;
  closed: number;
  throughput: number[];
}

function Standing({ backlog, active, resolved, closed, throughput }: StandingProps) {
  const done = resolved + closed;
  const all = backlog + active + done;
  return (
    <div className={styles.standing}>
      <ProgressBar active={active} done={done} all={all} />
      <p className={styles.counts}>
        {all > 0 ? progress('counts', { open: backlog, active, done }) : progress('noItems')}
      </p>
      {all > 0 && <ForecastLine left={backlog + active} weekly={throughput} />}
    </div>
  );
}

function Throughput({ slug, project }: { slug: string; project: string }) {
  const { data, error, refetch } = useQuery(projectStatsQuery(slug, project, WEEKS));
  return (
    <Section
      title={t('throughput')}
      actions={
        <Link {...address(`/o/${slug}/p/${project}/insights`)} className="link">
          {t('insights')}
        </Link>
      }
    >
      {error && !data && <ProblemPanel error={error} retry={() => void refetch()} />}
      {data && <ThroughputChart weeks={data.weeks} file={`${project}-throughput`} />}
    </Section>
  );
}

function Milestones({ slug, project }: { slug: string; project: string }) {
  const { data } = useQuery(milestonesQuery(slug, project));
  const open = (data ?? []).filter(({ state }) => state !== 'closed');
  return (
    <Section
      title={t('milestones')}
      actions={
        <Link {...address(`/o/${slug}/p/${project}/roadmap`)} className="link">
          {t('roadmap')}
        </Link>
      }
    >
      {data && open.length === 0 && <p className={styles.nothing}>{t('noMilestones')}</p>}
      <div className={styles.rows}>
        <Rows label={t('milestones')}>
          {open.map(({ id, name, due, progress: { items, active, resolved, closed } }) => (
            <Row
              key={id}
              glyph={<Icon of={Flag} />}
              title={plain(name)}
              href={`/o/${slug}/p/${project}/milestones/${id}`}
              facts={[
                due ? t('due', { day: dayOf(`${due}T00:00`) }) : t('noDue'),
                ...progressFacts({ active, done: resolved + closed, all: items }),
              ]}
            />
          ))}
        </Rows>
      </div>
    </Section>
  );
}

function Lately({ slug, project }: { slug: string; project: string }) {
  const { data } = useQuery(recentItemsQuery(slug, project));
  return (
    <Section
      title={t('lately')}
      actions={
        <Link {...address(`/o/${slug}/p/${project}/list?sort=-updated&group=none`)} className="link">
          {t('all')}
        </Link>
      }
    >
      {data?.items.length === 0 && <p className={styles.nothing}>{t('nothing')}</p>}
      <div className={styles.rows}>
        <Rows label={t('lately')}>
          {(data?.items ?? []).map((item) => (
            <Row
              key={item.key}
              glyph={<StateGlyph group={item.stateGroup} />}
              title={plain(item.title)}
              href={`/o/${slug}/p/${project}/items/${item.key}`}
              facts={[item.key, plain(item.state), <DateTime key="at" at={item.updatedAt} />]}
            />
          ))}
        </Rows>
      </div>
    </Section>
  );
}
