import { useQuery } from '@tanstack/react-query';
import type { components } from '@/api/schema';
import { workflowQuery } from '@/data/projects';
import { ALL_HARNESSES, type Harness, harnessName } from '@/runs/harnesses';
import { CheckField, SelectField, TextField } from '@/ui/Field';
import { Banner } from '@/ui/states';
import styles from '../factory/factory.module.css';
import { t } from './strings';

/** What a playbook settles beside its instructions. */
export interface PlaybookValues {
  harness: Harness;
  timeLimitMinutes: string;
  successState: string;
  failureState: string;
  deliveryMode: components['schemas']['DeliveryMode'];
  delivers: components['schemas']['Delivers'];
  projectDefault: boolean;
}

interface PlaybookFieldsProps {
  slug: string;
  project: string;
  values: PlaybookValues;
  change: (values: Partial<PlaybookValues>) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
  /** The project's default stays one until another playbook is made it. */
  isDefault: boolean;
  disabled?: boolean;
}

export function PlaybookFields({
  slug,
  project,
  values,
  change,
  errorsOf,
  isDefault,
  disabled,
}: PlaybookFieldsProps) {
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const states = workflow?.states.map((state) => state.name) ?? [];
  const stateField = (field: 'successState' | 'failureState') => (
    <SelectField
      label={t(field)}
      value={values[field]}
      disabled={disabled}
      errors={errorsOf(field)}
      onChange={(event) => change({ [field]: event.target.value })}
    >
      <option value="">{t('stay')}</option>
      {[...new Set([...states, values[field]])].filter(Boolean).map((state) => (
        <option key={state} value={state}>
          {state}
        </option>
      ))}
    </SelectField>
  );
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label={t('harness')}
          value={values.harness}
          disabled={disabled}
          errors={errorsOf('harness')}
          onChange={(event) => change({ harness: event.target.value as Harness })}
        >
          {ALL_HARNESSES.map((harness) => (
            <option key={harness} value={harness}>
              {harnessName(harness)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('limit')}
          type="number"
          min={1}
          max={1440}
          inputMode="numeric"
          value={values.timeLimitMinutes}
          disabled={disabled}
          errors={errorsOf('timeLimitMinutes')}
          onChange={(event) => change({ timeLimitMinutes: event.target.value })}
        />
      </div>
      <div className={styles.pair}>
        {stateField('successState')}
        {stateField('failureState')}
      </div>
      <SelectField
        label={t('delivery')}
        value={values.deliveryMode}
        disabled={disabled}
        errors={errorsOf('deliveryMode')}
        onChange={(event) => change({ deliveryMode: event.target.value as PlaybookValues['deliveryMode'] })}
      >
        <option value="branchAndPullRequest">{t('branch')}</option>
        <option value="pushToDefaultBranch">{t('push')}</option>
      </SelectField>
      {values.deliveryMode === 'pushToDefaultBranch' && <Banner kind="bad">{t('pushWarning')}</Banner>}
      <SelectField
        label={t('delivers')}
        value={values.delivers}
        disabled={disabled}
        errors={errorsOf('delivers')}
        onChange={(event) => change({ delivers: event.target.value as PlaybookValues['delivers'] })}
      >
        <option value="commit">{t('commit')}</option>
        <option value="nothing">{t('nothing')}</option>
      </SelectField>
      <CheckField
        label={t('projectDefault')}
        hint={isDefault ? t('isDefault') : t('defaultHint')}
        checked={values.projectDefault}
        disabled={disabled || isDefault}
        onChange={(event) => change({ projectDefault: event.target.checked })}
      />
    </>
  );
}
