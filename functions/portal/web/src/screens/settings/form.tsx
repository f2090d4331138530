/** What every settings form has: values that change, and a row that saves them. */
import { useState } from 'react';
import form from '@/app/form.module.css';
import type { Sending } from '@/app/forms';
import { Button } from '@/ui/Button';
import { ProblemPanel } from '@/ui/states';
import { t } from './strings';

/** Values of a form, and whether they differ from those it began with. Give the form a `key` that changes with them. */
export function useValues<Values extends object>(initial: Values) {
  const [values, set] = useState(initial);
  const change = (next: Partial<Values>) => set((old) => ({ ...old, ...next }));
  const changed = JSON.stringify(values) !== JSON.stringify(initial);
  return { values, change, changed };
}

interface SaveRowProps {
  sending: Sending;
  changed: boolean;
  frozen?: string | undefined;
  label?: string;
}

/** The problem that no field shows, and the button. */
export function SaveRow({ sending, changed, frozen, label }: SaveRowProps) {
  return (
    <>
      {sending.error !== undefined && <ProblemPanel error={sending.error} />}
      <div className={form.row}>
        <Button type="submit" kind="primary" busy={sending.busy} refusal={frozen} disabled={!changed}>
          {label ?? t('save')}
        </Button>
      </div>
    </>
  );
}
