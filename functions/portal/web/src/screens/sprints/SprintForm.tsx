import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Sprint } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { teamsQuery } from '@/data/sprints';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import styles from './sprints.module.css';
import { t } from './strings';

interface SprintFormProps {
  slug: string;
  project: string;
  /** The one to change; a new one when absent. */
  sprint?: Sprint;
  onClose: () => void;
}

/** Makes or changes a sprint. */
export function SprintForm({ slug, project, sprint, onClose }: SprintFormProps) {
  const { data: teams } = useQuery(teamsQuery(slug, project));
  const living = teams?.filter((team) => !team.archived) ?? [];
  const [team, setTeam] = useState('');
  const [values, setValues] = useState({
    name: sprint?.name ?? '',
    goal: sprint?.goal ?? '',
    start: sprint?.start?.slice(0, 10) ?? '',
    end: sprint?.end?.slice(0, 10) ?? '',
    capacity: sprint?.capacity == null ? '' : String(sprint.capacity),
  });
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const body = {
      name: values.name.trim(),
      goal: values.goal.trim(),
      start: values.start || null,
      end: values.end || null,
      capacity: values.capacity === '' ? null : Number(values.capacity),
    };
    if (sprint) {
      const params = { path: { slug, id: sprint.id } };
      await data(
        http.PATCH('/api/v1/orgs/{slug}/sprints/{id}', {
          params,
          body: { version: sprint.version, ...body },
        }),
      );
    } else {
      const params = { path: { slug, key: project } };
      const chosen = team || living[0]?.key || '';
      await data(
        http.POST('/api/v1/orgs/{slug}/projects/{key}/sprints', { params, body: { team: chosen, ...body } }),
      );
    }
    await refresh(['sprints', slug, project], ...(sprint ? [['sprint', slug, sprint.id]] : []));
    onClose();
  });
  const field = (name: keyof typeof values) => ({
    value: values[name],
    errors: errorsOf(name),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues((old) => ({ ...old, [name]: event.target.value })),
  });
  return (
    <Dialog open onClose={onClose} title={sprint ? t('editTitle') : t('newTitle')}>
      <form className={form.form} onSubmit={onSubmit}>
        {!sprint && living.length > 1 && (
          <SelectField
            label={t('team')}
            value={team}
            errors={errorsOf('team')}
            onChange={(event) => setTeam(event.target.value)}
          >
            {living.map((one) => (
              <option key={one.id} value={one.key}>
                {plain(one.name)}
              </option>
            ))}
          </SelectField>
        )}
        <TextField label={t('name')} required maxLength={80} {...field('name')} />
        <TextField label={t('goal')} hint={t('goalHint')} {...field('goal')} />
        <div className={styles.triple}>
          <TextField label={t('start')} type="date" {...field('start')} />
          <TextField label={t('end')} type="date" {...field('end')} />
          <TextField
            label={t('capacityField')}
            type="number"
            min={0}
            step="any"
            inputMode="decimal"
            {...field('capacity')}
          />
        </div>
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {sprint ? t('save') : t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
