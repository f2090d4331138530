import { useState } from 'react';
import type { Milestone } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { changeMilestone, createMilestone } from '@/data/milestones';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextArea, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { t } from './strings';

interface MilestoneFormProps {
  slug: string;
  project: string;
  /** The milestone that is changed; without, a new one is made. */
  milestone?: Milestone;
  onClose: () => void;
}

export function MilestoneForm({ slug, project, milestone, onClose }: MilestoneFormProps) {
  const [name, setName] = useState(milestone?.name ?? '');
  const [due, setDue] = useState(milestone?.due ?? '');
  const [description, setDescription] = useState(milestone?.description ?? '');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const words = { name: name.trim(), description: description.trim() };
    if (milestone) await changeMilestone(slug, project, milestone, { ...words, due: due || null });
    else await createMilestone(slug, project, { ...words, due: due || null });
    await refresh(['milestones', slug, project]);
    onClose();
  });
  const title = milestone ? t('editTitle', { name: plain(milestone.name) }) : t('newTitle');
  return (
    <Dialog open onClose={onClose} title={title}>
      <form className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          required
          maxLength={100}
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t('day')}
          type="date"
          value={due}
          errors={errorsOf('due')}
          onChange={(event) => setDue(event.target.value)}
        />
        <TextArea
          label={t('about')}
          maxLength={1_000}
          value={description}
          errors={errorsOf('description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t(milestone ? 'save' : 'create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
