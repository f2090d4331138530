import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Playbook } from '@/api/types';
import { useItemAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { useDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { t } from '../playbooks/strings';
import styles from './playbook.module.css';

interface InstructionsProps {
  slug: string;
  project: string;
  playbook: Playbook;
}

/** What the agent is told first. Read as it is sent; edited in place, with the draft kept. */
export function Instructions({ slug, project, playbook }: InstructionsProps) {
  const { configure, frozen } = useItemAccess(slug, project);
  const [editing, setEditing] = useState(false);
  const readable = typeof playbook.instructions === 'string';
  const page = `/o/${slug}/p/${project}/wiki/${playbook.pagePath.split('/').map(encodeURIComponent).join('/')}`;
  const actions = readable && (
    <>
      <Link to={page as never} className="link">
        {t('openPage')}
      </Link>
      {configure && !editing && (
        <Button size="small" refusal={frozen} onClick={() => setEditing(true)}>
          {t('edit')}
        </Button>
      )}
    </>
  );
  return (
    <Section title={t('instructions')} about={t('instructionsAbout')} actions={actions}>
      {!readable ? (
        <p>{t('noInstructions')}</p>
      ) : editing ? (
        <Editor slug={slug} project={project} playbook={playbook} onDone={() => setEditing(false)} />
      ) : (
        <pre className={styles.text}>{playbook.instructions}</pre>
      )}
    </Section>
  );
}

function Editor({ slug, project, playbook, onDone }: InstructionsProps & { onDone: () => void }) {
  const draft = useDraft(`playbook/${slug}/${project}/${playbook.id}`, playbook.instructions ?? '');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const params = { path: { slug, key: project, id: playbook.id } };
    const body = { version: playbook.version, instructions: draft.text };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}', { params, body }));
    draft.clear();
    await refresh(['playbooks', slug, project], ['wiki', slug, project]);
    toast(t('saved'));
    onDone();
  });
  const discard = () => {
    draft.clear();
    onDone();
  };
  return (
    <form className={form.form} onSubmit={onSubmit}>
      <TextArea
        label={t('instructions')}
        hint={draft.recovered ? t('draftKept') : undefined}
        rows={16}
        required
        value={draft.text}
        errors={errorsOf('instructions')}
        onChange={(event) => draft.write(event.target.value)}
      />
      {error !== undefined && <ProblemPanel error={error} />}
      <div className={form.row}>
        <Button type="submit" kind="primary" busy={busy}>
          {t('saveInstructions')}
        </Button>
        <Button onClick={discard}>{t('discard')}</Button>
      </div>
    </form>
  );
}
