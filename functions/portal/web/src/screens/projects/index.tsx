import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FolderKanban, Plus, Star } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Project, ProjectOverview } from '@/api/types';
import { useAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { overviewsQuery } from '@/data/insights';
import { deletedProjectsQuery, projectsQuery } from '@/data/projects';
import { Deleted } from '@/deletion/Deleted';
import { restoreProject } from '@/deletion/projects';
import { t as deletion } from '@/deletion/strings';
import { badgesOf } from '@/lib/badges';
import { cx } from '@/lib/class-names';
import { useLocal } from '@/lib/local';
import { byName, keyOf, plain } from '@/lib/text';
import { Actors } from '@/progress/Actors';
import { forecastOf, inShort } from '@/progress/forecasts';
import { ProgressBar } from '@/progress/ProgressBar';
import { t as progress } from '@/progress/strings';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { Dialog } from '@/ui/Dialog';
import { CheckField, TextArea, TextField } from '@/ui/Field';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './projects.module.css';
import { t } from './strings';

/** The organization's projects, starred ones first. */
export default function Projects() {
  const { slug } = useRouteParams('slug');
  const { data: projects, error, refetch } = useQuery(projectsQuery(slug));
  const access = useAccess(slug);
  const { data: deleted } = useQuery({ ...deletedProjectsQuery(slug), enabled: access.administer });
  const [creating, setCreating] = useState(false);
  const [archived, setArchived] = useState(false);
  useCommands(
    access.administer
      ? [
          {
            id: 'project.create',
            title: t('new'),
            group: 'general',
            keys: 'shift+n',
            refusal: access.frozen,
            run: () => setCreating(true),
          },
        ]
      : [],
  );
  const shown = (projects ?? []).filter((project) => archived || !project.archived);
  const some = (projects ?? []).some((project) => project.archived);
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <Link to="/o/$slug/roadmap" params={{ slug }} className={cx('link', styles.roadmap)}>
            {t('roadmap')}
          </Link>
          {access.administer && (
            <Button
              kind="primary"
              size="small"
              icon={Plus}
              refusal={access.frozen}
              onClick={() => setCreating(true)}
            >
              {t('new')}
            </Button>
          )}
        </>
      }
    >
      <FrozenBar slug={slug} />
      {error && !projects && <ProblemPanel error={error} retry={() => void refetch()} />}
      {!projects && !error && <Skeleton label={t('loading')} rows={4} height={56} />}
      {projects && shown.length === 0 && (
        <EmptyState
          icon={FolderKanban}
          title={access.administer ? t('empty') : t('emptyGuest')}
          action={
            access.administer && !access.frozen
              ? { label: t('new'), run: () => setCreating(true) }
              : undefined
          }
        />
      )}
      {shown.length > 0 && <Grid slug={slug} projects={shown} />}
      {some && (
        <div className={styles.archived}>
          <CheckField
            label={t('showArchived')}
            checked={archived}
            onChange={(event) => setArchived(event.target.checked)}
          />
        </div>
      )}
      {access.administer && (
        <Deleted
          title={deletion('projects')}
          icon={FolderKanban}
          things={deleted?.map(({ key, ...project }) => ({ ...project, id: key }))}
          frozen={access.frozen}
          restore={({ id, name }) => restoreProject(slug, id, name)}
        />
      )}
      <NewProject slug={slug} open={creating} onClose={() => setCreating(false)} />
    </Page>
  );
}

function Grid({ slug, projects }: { slug: string; projects: Project[] }) {
  const { data: overviews } = useQuery(overviewsQuery(slug));
  const [stars, setStars] = useLocal<string[]>('stars', []);
  const id = (project: Project) => `${slug}/${project.key}`;
  const starred = (project: Project) => stars.includes(id(project));
  const toggle = (project: Project) =>
    setStars(starred(project) ? stars.filter((star) => star !== id(project)) : [...stars, id(project)]);
  const badges = badgesOf(projects.map(({ key }) => key));
  const sorted = [...projects].sort(
    (a, b) => Number(starred(b)) - Number(starred(a)) || byName(a.name, b.name),
  );
  return (
    <ul className={styles.grid}>
      {sorted.map((project) => {
        const name = plain(project.name);
        return (
          <li key={project.key} className={styles.card}>
            <Link
              to="/o/$slug/p/$project/board"
              params={{ slug, project: project.key }}
              className={styles.link}
            >
              <span className={styles.emblem} aria-hidden>
                {badges.get(project.key)}
              </span>
              <span className={styles.text}>
                <span className={styles.name}>
                  {name}
                  <span className="meta">{project.key}</span>
                  {project.archived && <Chip>{t('archivedChip')}</Chip>}
                </span>
                {project.description && <span className={styles.about}>{plain(project.description)}</span>}
              </span>
            </Link>
            <Standing slug={slug} of={overviews?.find(({ key }) => key === project.key)} />
            <IconButton
              icon={Star}
              size="small"
              className={cx(styles.star, starred(project) && styles.starred)}
              label={t(starred(project) ? 'unstar' : 'star', { project: name })}
              aria-pressed={starred(project)}
              onClick={() => toggle(project)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** How far a project is, when it may be done, who works on it, and when something happened last. */
function Standing({ slug, of }: { slug: string; of: ProjectOverview | undefined }) {
  if (!of) return null;
  const { key, backlog, active, resolved, closed, throughput, changedAt, people, agents } = of;
  const done = resolved + closed;
  const all = backlog + active + done;
  return (
    <div className={styles.standing}>
      <ProgressBar active={active} done={done} all={all} />
      <p className={styles.numbers}>
        <span>{all > 0 ? progress('counts', { open: backlog, active, done }) : progress('noItems')}</span>
        {all > 0 && <span>{inShort(forecastOf(backlog + active, throughput))}</span>}
      </p>
      <div className={styles.last}>
        <Actors all={people} label={t('people')} />
        <Actors all={agents} label={t('agents')} />
        {changedAt && <DateTime at={changedAt} className="meta" />}
        <Link
          to="/o/$slug/p/$project/overview"
          params={{ slug, project: key }}
          className={cx('link', styles.more)}
        >
          {t('overview')}
        </Link>
      </div>
    </div>
  );
}

function NewProject({ slug, open, onClose }: { slug: string; open: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [own, setOwn] = useState<string>();
  const [description, setDescription] = useState('');
  const [brings, setBrings] = useState(false);
  const navigate = useNavigate();
  const key = own ?? keyOf(name);
  const sending = useSending(async () => {
    const body = { name, key, description };
    const made = await data(http.POST('/api/v1/orgs/{slug}/projects', { params: { path: { slug } }, body }));
    await refresh(projectsQuery(slug).queryKey);
    onClose();
    const to = brings ? '/o/$slug/p/$project/settings/import' : '/o/$slug/p/$project/board';
    await navigate({ to: to as never, params: { slug, project: made.key } as never });
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('new')}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" busy={sending.busy} onClick={sending.onSubmit}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          autoFocus
          value={name}
          errors={sending.errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t('key')}
          required
          value={key}
          hint={t('keyHint', { key: key || '…' })}
          errors={sending.errorsOf('key')}
          onChange={(event) => setOwn(event.target.value.toUpperCase())}
        />
        <TextArea
          label={t('description')}
          rows={2}
          value={description}
          errors={sending.errorsOf('description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <CheckField
          label={t('brings')}
          checked={brings}
          onChange={(event) => setBrings(event.target.checked)}
        />
        <FormProblem error={sending.error} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
