/** Forms that send one request: busy, refused fields, and the problem that no field can show. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ProblemError } from '@/api/problem';
import { announce } from './announcer';

export interface Sending {
  busy: boolean;
  /** What is wrong with a field, by its name on the wire. */
  errorsOf: (field: string) => readonly string[] | undefined;
  /** What is wrong with the whole. */
  error: unknown;
  onSubmit: (event: FormEvent) => void;
}

/** Sends on submit. Errors of fields are taken apart from the rest; the first field that has one gets the focus. */
export function useSending(send: () => Promise<unknown>): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const asked = useRef(new Set<string>());
  const form = useRef<Element>(null);
  useEffect(() => {
    if (error !== undefined) pointOut(form.current);
  }, [error]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.current = event.currentTarget;
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

/** Leads to the first field that was refused. What has the focus already says by itself nothing new. */
function pointOut(form: Element | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  if (!field) return;
  if (field === document.activeElement) {
    const described = (field.getAttribute('aria-describedby') ?? '').split(' ');
    announce(document.getElementById(described.at(-1) ?? '')?.textContent ?? '');
    field.scrollIntoView?.({ block: 'nearest' });
  }
  field.focus();
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
