import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import type { Project } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { act, refresh } from '@/data/act';
import { projectQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { TextArea, TextField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import { DeleteProject } from './DeleteProject';
import type { OfProject } from './section';
import { t } from './strings';

function send(slug: string, project: Project, body: Omit<components['schemas']['UpdateProject'], 'version'>) {
  const params = { path: { slug, key: project.key } };
  return data(
    http.PATCH('/api/v1/orgs/{slug}/projects/{key}', { params, body: { version: project.version, ...body } }),
  );
}

const keysOf = (slug: string, key: string) =>
  [
    ['project', slug, key],
    ['projects', slug],
  ] as const;

/** Name, description, archiving and deleting. */
export default function General({ slug, project, frozen }: OfProject) {
  const { data: found } = useQuery(projectQuery(slug, project));
  if (!found) return null;
  return (
    <>
      <Names key={found.version} slug={slug} project={found} frozen={frozen} />
      <Archive slug={slug} project={found} />
      <DeleteProject slug={slug} project={found} />
    </>
  );
}

function Names({ slug, project, frozen }: { slug: string; project: Project; frozen: string | undefined }) {
  const { values, change, changed } = useValues({
    name: project.name,
    description: project.description ?? '',
  });
  const sending = useSending(async () => {
    await send(slug, project, { name: values.name.trim(), description: values.description });
    await refresh(...keysOf(slug, project.key));
    toast(common('saved'));
  });
  return (
    <Section title={t('names')} about={t('keyIs', { key: project.key })}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          value={values.name}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextArea
          label={t('description')}
          rows={3}
          value={values.description}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('description')}
          onChange={(event) => change({ description: event.target.value })}
        />
        <SaveRow sending={sending} changed={changed} frozen={frozen} />
      </form>
    </Section>
  );
}

function Archive({ slug, project }: { slug: string; project: Project }) {
  const [asked, ask] = useState(false);
  if (project.archived) {
    const revive = () =>
      void act(() => send(slug, project, { archived: false }), ...keysOf(slug, project.key));
    return (
      <Section title={t('revive')} about={t('reviveAbout')}>
        <div>
          <Button onClick={revive}>{t('revive')}</Button>
        </div>
      </Section>
    );
  }
  const archive = async () => {
    await send(slug, project, { archived: true });
    await refresh(...keysOf(slug, project.key));
  };
  return (
    <Section title={t('archive')} about={t('archiveAbout')}>
      <div>
        <Button onClick={() => ask(true)}>{t('archive')}</Button>
      </div>
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('archiveTitle', { name: plain(project.name) })}
        action={t('archive')}
        danger={false}
        run={archive}
      >
        <p>{t('archiveAbout')}</p>
      </Confirm>
    </Section>
  );
}
