/** What the address names. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Parts of the address that this screen's route has. */
export function useRouteParams<Name extends string>(...names: Name[]): Record<Name, string> {
  const params = useParams({ strict: false }) as Partial<Record<string, string>>;
  return Object.fromEntries(names.map((name) => [name, params[name] ?? ''])) as Record<Name, string>;
}

/** The search parameters of the address as texts, and a function that changes some of them. Empty ones are left out. */
export function useSearchParams(): [
  Partial<Record<string, string>>,
  (next: Record<string, string | undefined>) => void,
] {
  const search = useSearch({ strict: false }) as Partial<Record<string, string>>;
  const navigate = useNavigate();
  const change = useCallback(
    (next: Record<string, string | undefined>) => {
      const merge = (old: Record<string, string | undefined>) => clean({ ...old, ...next });
      void navigate({ to: '.', search: merge as never, replace: true, resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}

function clean(search: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as Record<string, string>;
}
