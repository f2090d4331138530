import { useState } from 'react';
import form from '@/app/form.module.css';
import { takeTyped } from '@/commands/ahead';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { t } from './picker-strings';

interface NumberFormProps {
  label: string;
  held: number | null | undefined;
  onChoose: (value: number | null) => void;
}

/** A number of a field, such as an estimate; or none. */
export function NumberForm({ label, held, onChoose }: NumberFormProps) {
  const [text, setText] = useState(String(held ?? ''));
  const value = text.trim() === '' ? null : Number(text.replace(',', '.'));
  const wrong = value !== null && !(value >= 0 && value <= 1_000_000);
  return (
    <form
      className={form.form}
      style={{ padding: 'var(--s-12)', width: '14rem' }}
      onSubmit={(event) => {
        event.preventDefault();
        // The form around the popover is another one.
        event.stopPropagation();
        if (!wrong) onChoose(value);
      }}
    >
      <TextField
        label={label}
        inputMode="decimal"
        autoFocus
        onFocus={() => setText(text + takeTyped())}
        value={text}
        errors={wrong ? [t('wrongNumber')] : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={form.row}>
        <Button kind="primary" size="small" type="submit">
          {t('set')}
        </Button>
        <Button size="small" kind="ghost" onClick={() => onChoose(null)}>
          {t('clear')}
        </Button>
      </div>
    </form>
  );
}
