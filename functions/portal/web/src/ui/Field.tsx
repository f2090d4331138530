import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '@/lib/class-names';
import styles from './Field.module.css';
import { tooLong } from './TextLength';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, as the service says it. */
  errors?: readonly string[] | undefined;
  optional?: boolean;
}

type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

function Labelled({
  label,
  hint,
  errors,
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId();
  const wrong = errors && errors.length > 0;
  const described = [hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': wrong ? true : undefined })}
      {wrong && (
        <p id={`${id}-error`} className={styles.error}>
          {errors.join(' ')}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

/**
 * What is wrong with a text that is longer than allowed. A browser would cut it and say nothing; here all of it stays,
 * and its form is not sent until it is shorter.
 */
function useLength(value: unknown, most: number | undefined, errors: readonly string[] | undefined) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const refusal = most === undefined ? undefined : tooLong(String(value ?? ''), most);
  useEffect(() => field.current?.setCustomValidity(refusal ?? ''), [refusal]);
  return { field, errors: refusal ? [refusal] : errors };
}

/** A one-line text with its label, hint and errors. */
export function TextField({
  label,
  hint,
  errors,
  maxLength,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const length = useLength(input.value, maxLength, errors);
  return (
    <Labelled label={label} hint={hint} errors={length.errors}>
      {(described) => (
        <input ref={length.field} {...input} {...described} className={cx(styles.input, input.className)} />
      )}
    </Labelled>
  );
}

/** A text of several lines with its label, hint and errors. */
export function TextArea({
  label,
  hint,
  errors,
  maxLength,
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  const length = useLength(input.value, maxLength, errors);
  return (
    <Labelled label={label} hint={hint} errors={length.errors}>
      {(described) => (
        <textarea
          ref={length.field}
          rows={4}
          {...input}
          {...described}
          className={cx(styles.input, styles.area)}
        />
      )}
    </Labelled>
  );
}

/** A choice among few, as the browser's own list. */
export function SelectField({
  label,
  hint,
  errors,
  children,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(described) => (
        <select {...select} {...described} className={cx(styles.input, styles.select)}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** A box to tick, with its text beside it. */
export function CheckField({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input type="checkbox" {...input} id={id} aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}
