/** Forms that send one request: busy, refused fields, and the problem that no field can show. */
import { type FormEvent, useState } from 'react';
import { ProblemError } from '@/api/problem';

export interface Sending {
  busy: boolean;
  /** What is wrong with a field, by its name on the wire. */
  errorsOf: (field: string) => readonly string[] | undefined;
  /** What is wrong with the whole. */
  error: unknown;
  onSubmit: (event: FormEvent) => void;
}

/** Sends on submit. Errors of fields are taken apart from the rest. */
export function useSending(send: () => Promise<unknown>): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const errors = error instanceof ProblemError ? (error.problem.errors ?? {}) : {};
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    send()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const inFields = Object.keys(errors).length > 0;
  return { busy, errorsOf: (field) => errors[field], error: inFields ? undefined : error, onSubmit };
}
