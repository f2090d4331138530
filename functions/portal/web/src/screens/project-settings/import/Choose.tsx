import { useState } from 'react';
import form from '@/app/form.module.css';
import type { Sending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { Button } from '@/ui/Button';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import type { Wanted } from './bringing';
import styles from './import.module.css';
import { t } from './strings';

const SOURCES = ['jira', 'linear', 'github', 'gitlab', 'trello', 'csv', 'vibeKanban', 'svc'] as const;
export type Source = (typeof SOURCES)[number];

/** What is asked before files are read. */
export interface Choice {
  source: Source;
  files: readonly File[];
  dates: '' | 'dmy' | 'mdy';
  timeZone: string;
  only: string;
  columns: string;
}

export const noChoice = (): Choice => ({
  source: 'jira',
  files: [],
  dates: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  only: '',
  columns: '',
});

/** The choice as the service takes it. */
export function wantedOf({ source, dates, timeZone, only, columns }: Choice): Omit<Wanted, 'files'> {
  const pairs = columns.split('\n').map((line) => line.split('=', 2).map((part) => part.trim()));
  return {
    source,
    ...(dates && { dates }),
    ...(timeZone.trim() && { timeZone: timeZone.trim() }),
    ...(only.trim() && { only: only.trim() }),
    ...(source === 'csv' && { columns: Object.fromEntries(pairs.filter(([field]) => field)) }),
  };
}

interface ChooseProps {
  choice: Choice;
  change: (part: Partial<Choice>) => void;
  sending: Sending;
  disabled: boolean;
  frozen: string | undefined;
  again: boolean;
}

/** Where work comes from: the tracker, its files, and how they are read. */
export function Choose({ choice, change, sending, disabled, frozen, again }: ChooseProps) {
  const [opened, open] = useState(false);
  const asked = ['dates', 'timeZone', 'only', 'columns'].some((field) => sending.errorsOf(field));
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <SelectField
        label={t('source')}
        value={choice.source}
        disabled={disabled}
        hint={t(`how_${choice.source}`)}
        onChange={({ target }) => change({ source: target.value as Source })}
      >
        {SOURCES.map((source) => (
          <option key={source} value={source}>
            {t(source)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('files')}
        type="file"
        multiple
        required
        disabled={disabled}
        hint={t('filesHint')}
        errors={sending.errorsOf('files')}
        onChange={({ target }) => change({ files: [...(target.files ?? [])] })}
      />
      <details
        className={styles.more}
        open={opened || asked}
        onToggle={({ currentTarget }) => open(currentTarget.open)}
      >
        <summary>{t('more')}</summary>
        <div className={styles.words}>
          <SelectField
            label={t('dates')}
            value={choice.dates}
            disabled={disabled}
            errors={sending.errorsOf('dates')}
            onChange={({ target }) => change({ dates: target.value as Choice['dates'] })}
          >
            <option value="">{t('datesFile')}</option>
            <option value="dmy">{t('dmy')}</option>
            <option value="mdy">{t('mdy')}</option>
          </SelectField>
          <TextField
            label={t('zone')}
            value={choice.timeZone}
            disabled={disabled}
            errors={sending.errorsOf('timeZone')}
            onChange={({ target }) => change({ timeZone: target.value })}
          />
          {(choice.source === 'vibeKanban' || choice.only) && (
            <TextField
              label={t('only')}
              value={choice.only}
              disabled={disabled}
              errors={sending.errorsOf('only')}
              onChange={({ target }) => change({ only: target.value })}
            />
          )}
          {choice.source === 'csv' && (
            <TextArea
              label={t('columns')}
              rows={3}
              value={choice.columns}
              disabled={disabled}
              hint={t('columnsHint')}
              errors={sending.errorsOf('columns')}
              onChange={({ target }) => change({ columns: target.value })}
            />
          )}
        </div>
      </details>
      <FormProblem error={sending.error} />
      <div className={form.row}>
        <Button
          type="submit"
          kind={again ? 'secondary' : 'primary'}
          busy={sending.busy || disabled}
          refusal={frozen}
        >
          {t(again ? 'lookAgain' : 'look')}
        </Button>
      </div>
    </form>
  );
}
