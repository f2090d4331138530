import { useState } from 'react';
import { dayOfWords } from '@/lib/day-words';
import { dayName, wholeDay } from '@/lib/days';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Listbox, type Option } from '@/ui/Listbox';
import styles from './DayList.module.css';
import { t } from './picker-strings';

interface DayListProps {
  held: string | null | undefined;
  onChoose: (day: string | null) => void;
}

const COMMON = ['today', 'tomorrow', 'friday', 'monday', '+2w', '+1m'] as const;

/** A due day: in words that are typed, from days that are near, or from the calendar. */
export function DayList({ held, onChoose }: DayListProps) {
  const [query, setQuery] = useState('');
  const [picked, setPicked] = useState(held ?? '');
  const [wrong, setWrong] = useState(false);
  const option = (day: string, label: string): Option => ({
    id: day,
    label,
    detail: wholeDay(day).replace(/, \d{4}$/, ''),
    checked: held === day,
  });
  const typed = query.trim() ? dayOfWords(query) : undefined;
  const common = COMMON.flatMap((words) => {
    const day = dayOfWords(words);
    return day ? [option(day, t(`day.${words}`))] : [];
  }).filter(
    ({ id, label }, at, all) =>
      label.toLowerCase().includes(query.trim().toLowerCase()) &&
      all.findIndex((other) => other.id === id) === at,
  );
  const options = [
    ...(typed ? [option(typed, dayName(typed))] : []),
    ...common.filter(({ id }) => id !== typed),
    ...(held && !query ? [{ id: '', label: t('noDue') }] : []),
  ];
  return (
    <div className={styles.days}>
      <Listbox
        label={t('dueDay')}
        placeholder={t('dayHint')}
        options={options}
        query={query}
        onQuery={setQuery}
        empty={t('wrongDay')}
        onChoose={({ id }) => onChoose(id || null)}
      />
      <form
        className={styles.calendar}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // The form around the popover is another one.
          event.stopPropagation();
          const valid = picked !== '' && event.currentTarget.checkValidity();
          setWrong(!valid);
          if (valid) onChoose(picked);
        }}
      >
        <TextField
          label={t('calendar')}
          type="date"
          min="1970-01-01"
          max="2999-12-31"
          value={picked}
          errors={wrong ? [t('wrongDay')] : undefined}
          onChange={({ target }) => setPicked(target.value)}
        />
        <Button size="small" type="submit">
          {t('set')}
        </Button>
      </form>
    </div>
  );
}
