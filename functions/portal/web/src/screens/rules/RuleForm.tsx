import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Rule } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { agentsQuery, playbooksQuery } from '@/data/factory';
import { labelsQuery, workflowQuery } from '@/data/projects';
import { changeRule } from '@/data/rules';
import { choosable, useNamedAgent, useNamedPlaybook } from '@/deletion/named';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { t } from './strings';

interface RuleFormProps {
  slug: string;
  project: string;
  /** The rule that is changed; without, a new one is made. */
  rule?: Rule;
  onClose: () => void;
}

/** Asks for the parts of a rule's sentence, in their order. */
export function RuleForm({ slug, project, rule, onClose }: RuleFormProps) {
  const { data: playbooks } = useQuery(playbooksQuery(slug, project));
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const { data: labels } = useQuery(labelsQuery(slug, project));
  const { data: agents } = useQuery(agentsQuery(slug));
  const [values, setValues] = useState({
    name: rule?.name ?? '',
    state: rule?.state ?? '',
    label: rule?.label ?? '',
    playbook: rule?.playbook ?? '',
    agent: rule?.agent ?? '',
  });
  const states = workflow?.states.map((state) => state.name) ?? [];
  const state = values.state || (states[1] ?? states[0] ?? '');
  const playbook =
    values.playbook || (playbooks?.find((one) => one.projectDefault) ?? playbooks?.[0])?.id || '';
  const chosenPlaybook = useNamedPlaybook(slug, project, playbook);
  const chosenAgent = useNamedAgent(slug, values.agent);
  const usable = agents?.filter((agent) => !agent.disabled || agent.id === rule?.agent);
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const body = {
      name: values.name.trim(),
      state,
      label: values.label || null,
      playbook,
      agent: values.agent || null,
    };
    const params = { path: { slug, key: project } };
    if (rule) await changeRule(slug, project, rule, body);
    else await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/rules', { params, body }));
    await refresh(['rules', slug, project]);
    onClose();
  });
  const field = (name: keyof typeof values) => ({
    errors: errorsOf(name),
    onChange: (event: { target: { value: string } }) =>
      setValues((old) => ({ ...old, [name]: event.target.value })),
  });
  return (
    <Dialog open onClose={onClose} title={rule ? t('editTitle', { name: plain(rule.name) }) : t('newTitle')}>
      <form className={form.form} onSubmit={onSubmit}>
        <TextField label={t('name')} required maxLength={80} value={values.name} {...field('name')} />
        <SelectField label={t('state')} value={state} {...field('state')}>
          {options(states, rule?.state)}
        </SelectField>
        <SelectField label={t('label')} value={values.label} {...field('label')}>
          <option value="">{t('anyItem')}</option>
          {options(labels?.map((label) => label.name) ?? [], rule?.label)}
        </SelectField>
        <SelectField label={t('playbook')} value={playbook} {...field('playbook')}>
          {choosable(playbooks, chosenPlaybook).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('agent')} hint={t('rights')} value={values.agent} {...field('agent')}>
          <option value="">{t('defaultAgent')}</option>
          {choosable(usable, chosenAgent).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t(rule ? 'save' : 'create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What there is to choose, with what is chosen already where that is gone since. */
function options(names: readonly string[], chosen: string | null | undefined) {
  return [...new Set([...names, chosen ?? ''])].filter(Boolean).map((name) => (
    <option key={name} value={name}>
      {plain(name)}
    </option>
  ));
}
