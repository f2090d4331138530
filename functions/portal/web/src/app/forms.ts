/** Forms that send one request: busy, refused fields, and the problem that no field can show. */
import { type FormEvent, useRef, useState } from 'react';
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
  const asked = useRef(new Set<string>());
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    send()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  const errorsOf = (field: string) => {
    asked.current.add(field);
    return error instanceof ProblemError ? error.problem.errors?.[field] : undefined;
  };
  return { busy, errorsOf, error: besides(error, asked.current), onSubmit };
}

/** The part of an error that no field of the form shows. */
export function besides(error: unknown, shown: ReadonlySet<string>): unknown {
  if (!(error instanceof ProblemError)) return error;
  const all = Object.entries(error.problem.errors ?? {});
  const rest = all.filter(([field]) => !shown.has(field));
  if (rest.length === all.length) return error;
  if (rest.length === 0) return undefined;
  return new ProblemError({ ...error.problem, errors: Object.fromEntries(rest) }, error.retryAfter);
}
