import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Ellipsis, Flag, Play } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Sprint } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Crumb, Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { sprintQuery } from '@/data/sprints';
import { plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { LinkTabs } from '@/ui/LinkTabs';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { SprintForm } from '../sprints/SprintForm';
import { SprintState } from '../sprints/SprintState';
import { span } from '../sprints/span';
import { BurndownView } from './BurndownView';
import { CompleteSprint } from './CompleteSprint';
import { Plan } from './Plan';
import styles from './sprint.module.css';
import { t } from './strings';
import { TaskboardView } from './TaskboardView';

const PARTS = ['plan', 'taskboard', 'burndown'] as const;

/** One sprint: its plan, its taskboard, its burndown. */
export default function SprintScreen() {
  const { slug, project, sprint: id, part: asked } = useRouteParams('slug', 'project', 'sprint', 'part');
  const { data: sprint, error, refetch } = useQuery(sprintQuery(slug, id));
  const { frozen } = useItemAccess(slug, project);
  const part = PARTS.find((known) => known === asked);
  if (!part || isProblem(error, 'not-found') || (sprint && sprint.project !== project)) return <Missing />;
  const root = `/o/${slug}/p/${project}/sprints`;
  const tabs = PARTS.map((known) => ({
    label: t(known),
    href: `${root}/${id}/${known}`,
    current: known === part,
  }));
  return (
    <Page
      title={sprint ? plain(sprint.name) : t('sprint')}
      fill
      crumbs={
        <Crumb>
          <Link to={root as never}>{t('sprints')}</Link>
        </Crumb>
      }
      actions={sprint && <Head slug={slug} project={project} sprint={sprint} />}
      bar={<LinkTabs label={t('sprint')} tabs={tabs} />}
    >
      {frozen && <Banner kind="locked">{frozen}</Banner>}
      {error && !sprint ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !sprint ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={8} />
        </div>
      ) : part === 'plan' ? (
        <Plan slug={slug} project={project} sprint={sprint} />
      ) : part === 'taskboard' ? (
        <TaskboardView slug={slug} project={project} id={id} />
      ) : (
        <BurndownView slug={slug} id={id} />
      )}
    </Page>
  );
}

function Head({ slug, project, sprint }: { slug: string; project: string; sprint: Sprint }) {
  const navigate = useNavigate();
  const { write, frozen } = useItemAccess(slug, project);
  const [asked, ask] = useState<'edit' | 'complete' | 'delete'>();
  const params = { path: { slug, id: sprint.id } };
  const start = () =>
    void act(
      () =>
        data(
          http.POST('/api/v1/orgs/{slug}/sprints/{id}/start', { params, body: { version: sprint.version } }),
        ),
      ['sprint', slug, sprint.id],
      ['sprints', slug, project],
    );
  const remove = async () => {
    await data(http.DELETE('/api/v1/orgs/{slug}/sprints/{id}', { params }));
    await navigate({ href: `/o/${slug}/p/${project}/sprints` });
    await refresh(['sprints', slug, project]);
  };
  useCommands(
    write && sprint.state !== 'completed'
      ? [
          sprint.state === 'planned'
            ? { id: 'sprint.start', title: t('start'), group: 'general', refusal: frozen, run: start }
            : {
                id: 'sprint.complete',
                title: t('complete'),
                group: 'general',
                refusal: frozen,
                run: () => ask('complete'),
              },
        ]
      : [],
  );
  const entries = (): MenuEntries => [
    { label: t('edit'), refusal: frozen, run: () => ask('edit') },
    ...(sprint.state === 'planned'
      ? [{ label: t('delete'), danger: true, refusal: frozen, run: () => ask('delete') }]
      : []),
  ];
  return (
    <>
      <span className={styles.dates}>{span(sprint)}</span>
      <SprintState sprint={sprint} />
      {write && sprint.state === 'planned' && (
        <Button size="small" kind="primary" icon={Play} refusal={frozen} onClick={start}>
          {t('start')}
        </Button>
      )}
      {write && sprint.state === 'active' && (
        <Button size="small" icon={Flag} refusal={frozen} onClick={() => ask('complete')}>
          {t('complete')}
        </Button>
      )}
      {write && (
        <Menu
          align="end"
          entries={entries}
          trigger={(props) => <IconButton {...props} icon={Ellipsis} size="small" label={t('more')} />}
        />
      )}
      {asked === 'edit' && (
        <SprintForm slug={slug} project={project} sprint={sprint} onClose={() => ask(undefined)} />
      )}
      {asked === 'complete' && (
        <CompleteSprint slug={slug} project={project} sprint={sprint} onClose={() => ask(undefined)} />
      )}
      {asked === 'delete' && (
        <Confirm
          open
          onClose={() => ask(undefined)}
          title={t('deleteTitle', { name: plain(sprint.name) })}
          action={t('delete')}
          run={remove}
        >
          <p>{t('deleteDetail', { n: sprint.work.items })}</p>
        </Confirm>
      )}
    </>
  );
}
