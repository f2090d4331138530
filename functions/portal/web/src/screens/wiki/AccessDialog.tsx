import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { projectMembersQuery } from '@/data/projects';
import { type PageAccess, pageAccessQuery } from '@/data/wiki';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckField, SelectField } from '@/ui/Field';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import type { OfPage } from './page';
import { t } from './strings';
import styles from './wiki.module.css';

type Who = components['schemas']['AudienceKind'];
type Kind = 'read' | 'edit';

interface Choice {
  who: Who | '';
  people: string[];
}

const CHOICES = ['everyone', 'members', 'admins', 'people'] as const;

/** Who reads and who edits a page and those below it. */
export function AccessDialog({ slug, project, page, onClose }: OfPage & { onClose: () => void }) {
  const { data: access, error } = useQuery(pageAccessQuery(slug, project, page.path));
  return (
    <Dialog open onClose={onClose} title={t('accessTitle', { name: plain(page.title) })}>
      {error ? (
        <ProblemPanel error={error} />
      ) : access ? (
        <AccessForm slug={slug} project={project} page={page} access={access} onClose={onClose} />
      ) : (
        <Skeleton label={t('loading')} rows={3} />
      )}
    </Dialog>
  );
}

function choiceOf(audience: PageAccess['read']): Choice {
  return { who: audience?.who ?? '', people: audience?.people ?? [] };
}

function AccessForm({
  slug,
  project,
  page,
  access,
  onClose,
}: OfPage & { access: PageAccess; onClose: () => void }) {
  const [choices, setChoices] = useState({ read: choiceOf(access.read), edit: choiceOf(access.edit) });
  const audience = ({ who, people }: Choice) =>
    who === '' ? null : who === 'people' ? { who, people } : { who };
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const params = { path: { slug, key: project, path: page.path } };
    const body = { version: access.version, read: audience(choices.read), edit: audience(choices.edit) };
    await data(http.PUT('/api/v1/orgs/{slug}/projects/{key}/wiki/access/{path}', { params, body }));
    await refresh(['wiki', slug, project]);
    onClose();
  });
  const set = (kind: Kind, choice: Partial<Choice>) =>
    setChoices((old) => ({ ...old, [kind]: { ...old[kind], ...choice } }));
  return (
    <form className={form.form} onSubmit={onSubmit}>
      <p>{t('accessAbout')}</p>
      {(['read', 'edit'] as const).map((kind) => (
        <AudienceField
          key={kind}
          slug={slug}
          project={project}
          kind={kind}
          choice={choices[kind]}
          errors={errorsOf(kind)}
          disabled={!access.canChange}
          onChange={(choice) => set(kind, choice)}
        />
      ))}
      {error !== undefined && <ProblemPanel error={error} />}
      <div className={`${form.row} ${form.end}`}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        {access.canChange && (
          <Button type="submit" kind="primary" busy={busy}>
            {t('saveAccess')}
          </Button>
        )}
      </div>
    </form>
  );
}

interface AudienceFieldProps {
  slug: string;
  project: string;
  kind: Kind;
  choice: Choice;
  errors: readonly string[] | undefined;
  disabled: boolean;
  onChange: (choice: Partial<Choice>) => void;
}

function AudienceField({ slug, project, kind, choice, errors, disabled, onChange }: AudienceFieldProps) {
  const { data: members } = useQuery({
    ...projectMembersQuery(slug, project),
    enabled: choice.who === 'people',
  });
  const toggle = (id: string, on: boolean) =>
    onChange({ people: on ? [...choice.people, id] : choice.people.filter((other) => other !== id) });
  return (
    <div className={styles.audience}>
      <SelectField
        label={t(kind === 'read' ? 'mayRead' : 'mayEdit')}
        value={choice.who}
        disabled={disabled}
        errors={errors}
        onChange={(event) => onChange({ who: event.target.value as Who })}
      >
        <option value="">{t('asAbove')}</option>
        {CHOICES.map((who) => (
          <option key={who} value={who}>
            {t(`who_${who}`)}
          </option>
        ))}
      </SelectField>
      {choice.who === 'people' &&
        members?.map((member) => (
          <CheckField
            key={member.userId}
            label={plain(member.displayName)}
            disabled={disabled}
            checked={choice.people.includes(member.userId)}
            onChange={(event) => toggle(member.userId, event.target.checked)}
          />
        ))}
    </div>
  );
}
