import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Sprint } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { sprintsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { t } from './strings';

/** Ends a sprint, and says where its unfinished items go. */
export function CompleteSprint({
  slug,
  project,
  sprint,
  onClose,
}: {
  slug: string;
  project: string;
  sprint: Sprint;
  onClose: () => void;
}) {
  const { data: sprints } = useQuery(sprintsQuery(slug, project));
  const next =
    sprints?.items.filter((one) => one.state === 'planned' && one.team.id === sprint.team.id) ?? [];
  const [to, setTo] = useState('');
  const { unfinished, items } = sprint.work;
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const body = { version: sprint.version, unfinishedTo: to || null };
    const params = { path: { slug, id: sprint.id } };
    const done = await data(http.POST('/api/v1/orgs/{slug}/sprints/{id}/complete', { params, body }));
    await refresh(['sprint', slug, sprint.id], ['sprints', slug, project]);
    toast(t('completed', { name: plain(sprint.name), n: done.moved + done.left }));
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t('completeTitle', { name: plain(sprint.name) })}>
      <form className={form.form} onSubmit={onSubmit}>
        <p>{t('completeAbout', { done: items - unfinished, n: unfinished })}</p>
        {unfinished > 0 && (
          <SelectField
            label={t('unfinishedTo')}
            value={to}
            errors={errorsOf('unfinishedTo')}
            onChange={(event) => setTo(event.target.value)}
          >
            <option value="">{t('backlog')}</option>
            {next.map((one) => (
              <option key={one.id} value={one.id}>
                {plain(one.name)}
              </option>
            ))}
          </SelectField>
        )}
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('complete')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
