import type { Runner } from '@/api/types';
import { SelectField } from '@/ui/Field';
import { t } from './harness-strings';
import { ALL_HARNESSES, type Harness, harnessName, offeredHarnesses } from './harnesses';

interface HarnessFieldProps {
  label: string;
  value: Harness | '';
  /** The harness that is taken where none is chosen; nothing while it is not known. */
  own: Harness | undefined;
  runners: readonly Runner[] | undefined;
  /** The only runner that may take the run; empty for any. */
  runner: string;
  errors: readonly string[] | undefined;
  onChange: (harness: Harness | '') => void;
}

/** Chooses the harness of runs: the playbook's own, or another. Those that no runner offers are marked. */
export function HarnessField({ label, value, own, runners, runner, errors, onChange }: HarnessFieldProps) {
  const offered = runners && offeredHarnesses(runners, runner);
  const named = (harness: Harness) => {
    const name = harnessName(harness);
    if (!offered || offered.has(harness)) return name;
    return t(runner ? 'notThere' : 'nowhere', { name });
  };
  const first = ALL_HARNESSES.filter((harness) => !offered || offered.has(harness));
  const rest = ALL_HARNESSES.filter((harness) => !first.includes(harness));
  return (
    <SelectField
      label={label}
      value={value}
      errors={errors}
      onChange={(event) => onChange(event.target.value as Harness | '')}
    >
      <option value="">{own ? t('own', { name: named(own) }) : t('playbooks')}</option>
      {[...first, ...rest].map((harness) => (
        <option key={harness} value={harness}>
          {named(harness)}
        </option>
      ))}
    </SelectField>
  );
}
