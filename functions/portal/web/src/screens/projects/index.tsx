import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FolderKanban, Plus, Star } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Project } from '@/api/types';
import { useAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { deletedProjectsQuery, projectsQuery } from '@/data/projects';
import { Deleted } from '@/deletion/Deleted';
import { restoreProject } from '@/deletion/projects';
import { t as deletion } from '@/deletion/strings';
import { badgesOf } from '@/lib/badges';
import { cx } from '@/lib/class-names';
import { useLocal } from '@/lib/local';
import { byName, keyOf, plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
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
        access.administer && (
          <Button
            kind="primary"
            size="small"
            icon={Plus}
            refusal={access.frozen}
            onClick={() => setCreating(true)}
          >
            {t('new')}
          </Button>
        )
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

function NewProject({ slug, open, onClose }: { slug: string; open: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [own, setOwn] = useState<string>();
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const key = own ?? keyOf(name);
  const sending = useSending(async () => {
    const body = { name, key, description };
    const made = await data(http.POST('/api/v1/orgs/{slug}/projects', { params: { path: { slug } }, body }));
    await refresh(projectsQuery(slug).queryKey);
    onClose();
    await navigate({ to: '/o/$slug/p/$project/board', params: { slug, project: made.key } });
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
        <FormProblem error={sending.error} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
