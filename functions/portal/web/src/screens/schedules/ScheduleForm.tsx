import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ItemType, NewSchedule, Schedule } from '@/api/types';
import form from '@/app/form.module.css';
import { type Sending, useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { agentsQuery, playbooksQuery, runnersQuery } from '@/data/factory';
import { changeSchedule, createSchedule } from '@/data/schedules';
import { choosable, useNamedAgent, useNamedPlaybook } from '@/deletion/named';
import { plain } from '@/lib/text';
import { HarnessField } from '@/runs/HarnessField';
import type { Harness } from '@/runs/harnesses';
import { ZONE } from '@/runs/schedule';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { TYPE_ORDER, typeName } from '@/ui/glyphs';
import { ProblemPanel } from '@/ui/states';
import { RhythmFields } from './RhythmFields';
import { EVERY_MONDAY, expressionOf, rhythmOf } from './rhythm';
import styles from './schedules.module.css';
import { t } from './strings';

interface ScheduleFormProps {
  slug: string;
  project: string;
  /** The schedule that is changed; without, a new one is made. */
  schedule?: Schedule;
  onClose: () => void;
}

/** Asks when a schedule fires, what it starts, and what its items are. */
export function ScheduleForm({ slug, project, schedule, onClose }: ScheduleFormProps) {
  const [values, setValues] = useState(() => ({
    name: schedule?.name ?? '',
    timeZone: schedule?.timeZone ?? ZONE,
    playbook: schedule?.playbook ?? '',
    agent: schedule?.agent ?? '',
    runner: schedule?.runner ?? '',
    harness: (schedule?.harness ?? '') as string,
    type: (schedule?.type ?? 'task') as string,
    title: schedule?.title ?? '',
    body: schedule?.body ?? '',
    labels: schedule?.labels.join(', ') ?? '',
  }));
  const [rhythm, setRhythm] = useState(() => (schedule ? rhythmOf(schedule.cron) : EVERY_MONDAY));
  const { data: playbooks } = useQuery(playbooksQuery(slug, project));
  const playbook =
    values.playbook || (playbooks?.find((one) => one.projectDefault) ?? playbooks?.[0])?.id || '';
  const sending = useSending(async () => {
    const body = {
      name: values.name.trim(),
      cron: expressionOf(rhythm),
      timeZone: values.timeZone.trim(),
      playbook,
      agent: values.agent || null,
      runner: values.runner || null,
      harness: (values.harness || null) as Harness | null,
      type: values.type as ItemType,
      title: values.title.trim(),
      body: values.body,
      labels: values.labels
        .split(',')
        .map((label) => label.trim())
        .filter(Boolean),
    } satisfies NewSchedule;
    if (schedule) await changeSchedule(slug, project, schedule, body);
    else await createSchedule(slug, project, body);
    await refresh(['schedules', slug, project]);
    onClose();
  });
  const field: Field = (name) => ({
    errors: sending.errorsOf(name),
    onChange: ({ target }) => setValues((old) => ({ ...old, [name]: target.value })),
  });
  const title = schedule ? t('editTitle', { name: plain(schedule.name) }) : t('new');
  return (
    <Dialog open onClose={onClose} title={title}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField label={t('name')} required maxLength={80} value={values.name} {...field('name')} />
        <RhythmFields
          slug={slug}
          project={project}
          rhythm={rhythm}
          zone={values.timeZone}
          errors={sending.errorsOf('cron')}
          onRhythm={setRhythm}
          zoneField={field('timeZone')}
        />
        <WhatStarts slug={slug} project={project} values={{ ...values, playbook }} field={field} />
        <WhatIsMade values={values} field={field} />
        <Foot sending={sending} action={t(schedule ? 'save' : 'create')} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type Values = Record<
  'name' | 'timeZone' | 'playbook' | 'agent' | 'runner' | 'harness' | 'type' | 'title' | 'body' | 'labels',
  string
>;

type Field = (name: keyof Values) => {
  errors: readonly string[] | undefined;
  onChange: (event: { target: { value: string } }) => void;
};

interface PartProps {
  values: Values;
  field: Field;
}

function WhatStarts({ slug, project, values, field }: PartProps & { slug: string; project: string }) {
  const { data: playbooks } = useQuery(playbooksQuery(slug, project));
  const { data: agents } = useQuery(agentsQuery(slug));
  const { data: runners } = useQuery(runnersQuery(slug));
  const chosenPlaybook = useNamedPlaybook(slug, project, values.playbook);
  const chosenAgent = useNamedAgent(slug, values.agent);
  const usable = <One extends { id: string; disabled: boolean }>(
    all: readonly One[] | undefined,
    kept: string,
  ) => all?.filter(({ id, disabled }) => !disabled || id === kept);
  return (
    <>
      <SelectField label={t('playbook')} value={values.playbook} {...field('playbook')}>
        {options(choosable(playbooks, chosenPlaybook))}
      </SelectField>
      <SelectField label={t('agent')} hint={t('rights')} value={values.agent} {...field('agent')}>
        <option value="">{t('defaultAgent')}</option>
        {options(choosable(usable(agents, values.agent), chosenAgent))}
      </SelectField>
      <div className={styles.pair}>
        <SelectField label={t('runner')} value={values.runner} {...field('runner')}>
          <option value="">{t('anyRunner')}</option>
          {options(usable(runners, values.runner))}
        </SelectField>
        <HarnessField
          label={t('harness')}
          value={values.harness as Harness | ''}
          own={playbooks?.find(({ id }) => id === values.playbook)?.harness}
          runners={runners}
          runner={values.runner}
          errors={field('harness').errors}
          onChange={(harness) => field('harness').onChange({ target: { value: harness } })}
        />
      </div>
    </>
  );
}

function WhatIsMade({ values, field }: PartProps) {
  const words = { date: '{date}', time: '{time}', week: '{week}' };
  return (
    <>
      <SelectField label={t('type')} value={values.type} {...field('type')}>
        {TYPE_ORDER.filter((type) => type !== 'subtask').map((type) => (
          <option key={type} value={type}>
            {typeName(type)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('title')}
        required
        hint={t('titleHint', words)}
        value={values.title}
        {...field('title')}
      />
      <TextArea label={t('body')} maxLength={4000} value={values.body} {...field('body')} />
      <TextField label={t('labels')} hint={t('labelsHint')} value={values.labels} {...field('labels')} />
    </>
  );
}

function Foot({ sending, action, onClose }: { sending: Sending; action: string; onClose: () => void }) {
  return (
    <>
      {sending.error !== undefined && <ProblemPanel error={sending.error} />}
      <div className={`${form.row} ${form.end}`}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={sending.busy}>
          {action}
        </Button>
      </div>
    </>
  );
}

function options(of: readonly { id: string; name: string }[] | undefined) {
  return of?.map(({ id, name }) => (
    <option key={id} value={id}>
      {plain(name)}
    </option>
  ));
}
