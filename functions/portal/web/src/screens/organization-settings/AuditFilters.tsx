import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { agentsQuery } from '@/data/factory';
import { membersQuery } from '@/data/settings';
import { byName, plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import filters from '@/ui/Filters.module.css';
import { type AuditSearch, dayIn } from './audit-filter';
import { t } from './audit-strings';
import { actionsOf, KINDS } from './audit-words';

interface AuditFiltersProps {
  slug: string;
  search: AuditSearch;
  filtered: boolean;
  change: (next: AuditSearch) => void;
}

/** What is asked of the audit log: what was done, by whom, and on which days. */
export function AuditFilters({ slug, search, filtered, change }: AuditFiltersProps) {
  const { what, by, from: first, to: last } = search;
  const [from, to] = [dayIn(first), dayIn(last)];
  return (
    <>
      <div className={filters.filters}>
        <select
          aria-label={t('anyAction')}
          value={actionsOf(what) ? what : ''}
          onChange={({ target }) => change({ what: target.value })}
        >
          <option value="">{t('anyAction')}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`kind_${kind}`)}
            </option>
          ))}
        </select>
        <Doers slug={slug} chosen={by ?? ''} choose={(by) => change({ by })} />
        <span className={filters.days}>
          <Day label={t('from')} value={from} choose={(from) => change({ from })} />
          <Day label={t('to')} value={to} choose={(to) => change({ to })} />
        </span>
        {filtered && (
          <Button
            size="small"
            kind="ghost"
            onClick={() => change({ what: undefined, by: undefined, from: undefined, to: undefined })}
          >
            {t('clear')}
          </Button>
        )}
      </div>
      {from && to && from > to && <p role="alert">{t('backwards')}</p>}
    </>
  );
}

interface DoersProps {
  slug: string;
  chosen: string;
  choose: (id: string) => void;
}

/** The people and agents of the organization. */
function Doers({ slug, chosen, choose }: DoersProps) {
  const { data: members = [] } = useQuery(membersQuery(slug));
  const { data: agents = [] } = useQuery(agentsQuery(slug));
  const groups = [
    {
      label: t('people'),
      all: members
        .filter(({ invitation }) => !invitation)
        .map(({ userId, displayName }) => ({ id: userId, name: displayName })),
    },
    { label: t('agents'), all: agents.map(({ id, name }) => ({ id, name })) },
  ].filter(({ all }) => all.length > 0);
  return (
    <select aria-label={t('anybody')} value={chosen} onChange={({ target }) => choose(target.value)}>
      <option value="">{t('anybody')}</option>
      {groups.map(({ label, all }) => (
        <optgroup key={label} label={label}>
          {all
            .sort((one, other) => byName(one.name, other.name))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {plain(name)}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  choose: (day: string) => void;
}

/** A day, by the browser's own calendar. One that is half typed asks for nothing yet. */
function Day({ label, value = '', choose }: DayProps) {
  const field = useRef<HTMLInputElement>(null);
  // Taken back from elsewhere, such as by Back; what is being typed stays.
  useEffect(() => {
    const input = field.current;
    if (input && input !== document.activeElement) input.value = value;
  }, [value]);
  return (
    <label className={filters.day}>
      {label}
      <input
        ref={field}
        type="date"
        min="1970-01-01"
        max="2999-12-31"
        defaultValue={value}
        onChange={({ target }) => target.validity.valid && choose(target.value)}
      />
    </label>
  );
}
