import { useSearchParams } from '@/app/params';
import { SelectField } from '@/ui/Field';
import { t } from './strings';

const PERIODS = [12, 26, 52];

/** The number of weeks that is looked at, as the address says it. */
export function usePeriod(): number {
  const [search] = useSearchParams();
  return PERIODS.find((period) => String(period) === search.weeks) ?? 12;
}

/** Chooses it. */
export function PeriodField() {
  const [, change] = useSearchParams();
  return (
    <SelectField
      label={t('period')}
      value={String(usePeriod())}
      onChange={(event) => change({ weeks: event.target.value })}
    >
      {PERIODS.map((period) => (
        <option key={period} value={period}>
          {t('weeks', { n: period })}
        </option>
      ))}
    </SelectField>
  );
}
