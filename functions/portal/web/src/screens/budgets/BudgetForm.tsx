import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isProblem } from '@/api/problem';
import type { Budget, Budgets } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { changeBudget } from '@/data/budgets';
import { agentsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import styles from './budgets.module.css';
import { changes, DAILY, EACH, isMoney, type Limit, nameOf, type Values, valuesOf } from './limits';
import { t } from './strings';

interface BudgetFormProps {
  slug: string;
  all: Budgets;
  /** The budget that is changed; without, a new one is made. */
  budget?: Budget;
  onClose: () => void;
}

/** The limits of a budget. An empty field limits nothing. */
export function BudgetForm({ slug, all, budget, onClose }: BudgetFormProps) {
  const [begun] = useState(() => valuesOf(budget?.limits ?? {}));
  const [values, setValues] = useState(begun);
  const [chosen, choose] = useState('');
  const free = useFree(slug, all);
  const scope = budget ? scopeOf(budget) : ((chosen || free.first) ?? '');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const [kind, id = ''] = scope.split(' ');
    const whose = kind === 'project' ? { project: id } : kind === 'agent' ? { agent: id } : {};
    try {
      await changeBudget(slug, { version: all.version, ...whose, ...changes(begun, values) });
    } catch (problem) {
      // What others set meanwhile is read, so that the next try is for what there is.
      if (isProblem(problem, 'stale-version')) await refresh(['budgets', slug]);
      throw problem;
    }
    await refresh(['budgets', slug], ['runs', slug]);
    onClose();
  });
  const field = (limit: Limit) => (
    <LimitField
      key={limit}
      limit={limit}
      value={values[limit]}
      errors={errorsOf(limit)}
      onChange={(value) => setValues((old: Values) => ({ ...old, [limit]: value }))}
    />
  );
  const title = budget ? t('editTitle', { name: plain(nameOf(budget)) }) : t('newTitle');
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <form className={form.form} onSubmit={onSubmit}>
        {!budget && (
          <SelectField
            label={t('forWhat')}
            hint={free.first === undefined ? t('allHaveOne') : t('newHint')}
            required
            value={scope}
            errors={errorsOf('project') ?? errorsOf('agent')}
            onChange={(event) => choose(event.target.value)}
          >
            {free.options}
          </SelectField>
        )}
        <fieldset className={styles.group}>
          <legend>{t('aDay')}</legend>
          <div className={styles.fields}>{DAILY.map(field)}</div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{t('aRun')}</legend>
          <div className={styles.fields}>{EACH.map(field)}</div>
          <p className="meta">{t('aRunHint')}</p>
        </fieldset>
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t(budget ? 'save' : 'create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface LimitFieldProps {
  limit: Limit;
  value: string;
  errors: readonly string[] | undefined;
  onChange: (value: string) => void;
}

function LimitField({ limit, value, errors, onChange }: LimitFieldProps) {
  const money = isMoney(limit);
  return (
    <TextField
      label={t(`field_${limit}`)}
      type="number"
      inputMode={money ? 'decimal' : 'numeric'}
      min={limit === 'minutesARun' || limit === 'tokensARun' ? 1 : 0}
      step={money ? 'any' : 1}
      placeholder={t('noLimit')}
      value={value}
      errors={errors}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function scopeOf({ project, agent }: Budget): string {
  return project ? `project ${project}` : agent ? `agent ${agent.id}` : '';
}

/** Projects and agents that have no budget yet, as choices. */
function useFree(slug: string, { budgets }: Budgets): { options: ReactNode; first: string | undefined } {
  const { data: projects = [] } = useQuery(projectsQuery(slug));
  const { data: agents = [] } = useQuery(agentsQuery(slug));
  const taken = new Set(budgets.map(scopeOf));
  const isFree = ({ value }: { value: string }) => !taken.has(value);
  const groups = [
    {
      label: t('projects'),
      of: projects
        .filter(({ archived }) => !archived)
        .map(({ key, name }) => ({ value: `project ${key}`, text: `${plain(name)} (${key})` }))
        .filter(isFree),
    },
    {
      label: t('agents'),
      of: agents.map(({ id, name }) => ({ value: `agent ${id}`, text: plain(name) })).filter(isFree),
    },
  ].filter(({ of }) => of.length > 0);
  const options = groups.map(({ label, of }) => (
    <optgroup key={label} label={label}>
      {of.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </optgroup>
  ));
  return { options, first: groups[0]?.of[0]?.value };
}
