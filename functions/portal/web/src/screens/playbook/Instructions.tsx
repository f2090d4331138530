import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Playbook } from '@/api/types';
import { useItemAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { act, refresh } from '@/data/act';
import { playbookQuery } from '@/data/factory';
import { mergeText } from '@/lib/merge';
import { lazyPart } from '@/lib/parts';
import { useDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import type { TextConflict } from '@/ui/ConflictView';
import { TextArea } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { t } from '../playbooks/strings';
import styles from './playbook.module.css';

const ConflictDialog = lazyPart(() => import('@/ui/ConflictView'));

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

/** Edits a draft, which may be older than what others wrote since: that is merged by line, or asked about. */
function Editor({ slug, project, playbook, onDone }: InstructionsProps & { onDone: () => void }) {
  const client = useQueryClient();
  const [begun] = useState(playbook.instructions ?? '');
  const draft = useDraft(`playbook/${slug}/${project}/${playbook.id}`, begun);
  const base = draft.base ?? begun;
  const mine = draft.text;
  const [conflict, setConflict] = useState<TextConflict>();
  const store = async (instructions: string, version: number) => {
    const params = { path: { slug, key: project, id: playbook.id } };
    const body = { version, instructions };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}', { params, body }));
    draft.clear();
    await refresh(['playbooks', slug, project], ['wiki', slug, project]);
    toast(t('saved'));
    onDone();
  };
  const merge = async ({ instructions, version }: Playbook) => {
    const theirs = instructions ?? '';
    const merged = theirs === base ? { text: mine } : mergeText(base, mine, theirs);
    if ('text' in merged) return store(merged.text, version);
    setConflict({ base, mine, theirs, save: (text) => void act(() => store(text, version)) });
  };
  const { busy, error, errorsOf, onSubmit } = useSending(() =>
    merge(playbook).catch(async (problem: unknown) => {
      if (!isProblem(problem, 'stale-version')) throw problem;
      await merge(await client.fetchQuery({ ...playbookQuery(slug, project, playbook.id), staleTime: 0 }));
    }),
  );
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
        readOnly={busy}
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
      {conflict && (
        <Suspense>
          <ConflictDialog conflict={conflict} onClose={() => setConflict(undefined)} />
        </Suspense>
      )}
    </form>
  );
}
