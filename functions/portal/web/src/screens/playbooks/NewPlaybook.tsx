import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { useDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { PlaybookFields, type PlaybookValues } from './PlaybookFields';
import { t } from './strings';

const FIRST: PlaybookValues = {
  harness: 'harness_1',
  timeLimitMinutes: '60',
  successState: '',
  failureState: '',
  deliveryMode: 'branchAndPullRequest',
  delivers: 'commit',
  projectDefault: false,
};

/** Makes a playbook; its instructions become a page in the wiki's Factory section. */
export function NewPlaybook({
  slug,
  project,
  first,
  onClose,
}: {
  slug: string;
  project: string;
  /** The project has no playbook yet: this one becomes its default unless somebody says otherwise. */
  first: boolean;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [values, setValues] = useState({ ...FIRST, projectDefault: first });
  const draft = useDraft(`playbook/${slug}/${project}`, t('firstInstructions'));
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const params = { path: { slug, key: project } };
    const body = {
      ...values,
      name: name.trim(),
      instructions: draft.text,
      timeLimitMinutes: Number(values.timeLimitMinutes),
      successState: values.successState || null,
      failureState: values.failureState || null,
    };
    const made = await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/playbooks', { params, body }));
    draft.clear();
    await refresh(['playbooks', slug, project]);
    onClose();
    void navigate({ href: `/o/${slug}/factory/playbooks/${made.id}?project=${project}` });
  });
  return (
    <Dialog open wide stays onClose={onClose} title={t('newTitle')}>
      <form className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          required
          maxLength={80}
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label={t('instructions')}
          hint={t('instructionsHint')}
          rows={8}
          required
          value={draft.text}
          errors={errorsOf('instructions')}
          onChange={(event) => draft.write(event.target.value)}
        />
        <PlaybookFields
          slug={slug}
          project={project}
          values={values}
          change={(next) => setValues((old) => ({ ...old, ...next }))}
          errorsOf={errorsOf}
          isDefault={false}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
