import { useInfiniteQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '@/api/types';
import { historyQuery } from '@/data/items';
import { linkName } from '@/items/links';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';

/** What happened to the item, newest first. */
export function History({ slug, card }: ItemContext) {
  const { data, error, refetch, ...pages } = useInfiniteQuery(historyQuery(slug, card.key));
  if (error && !data) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton label={t('history')} rows={5} height={20} />;
  // What happens between two pages moves the last of one to the next.
  const all = new Map(data.pages.flatMap(({ items }) => items).map((entry) => [entry.id, entry]));
  if (all.size === 0) return <p className={styles.none}>{t('noHistory')}</p>;
  const entries = [...all.values()].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <ol className={styles.history}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles.event}>
          <Avatar name={entry.actor.name} agent={entry.actor.agent} size={16} decorative />
          <span>
            <strong className={styles.actor}>{plain(entry.actor.name)}</strong> {sentence(entry)}
          </span>
          <span className="meta">
            <DateTime at={entry.at} />
          </span>
        </li>
      ))}
      {pages.hasNextPage && (
        <li>
          <Button
            size="small"
            kind="ghost"
            busy={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('olderHistory')}
          </Button>
        </li>
      )}
    </ol>
  );
}

const LONG = 60;

/** One change in words. A kind that this app does not know is shown as it is named. */
export function sentence({ action, field, from, to }: HistoryEntry): string {
  const values = { action, field: field ?? '', from: short(from), to: short(to) };
  if (action === 'changed') {
    if (field === 'body' || field === 'description')
      return t('h.changed', { ...values, field: 'the description' });
    if (from && to) return t('h.changedFrom', values);
    if (to) return t('h.changedTo', values);
    return from ? t('h.cleared', values) : t('h.changed', values);
  }
  if ((action === 'linked' || action === 'unlinked') && field) {
    const kind = linkName(field).toLowerCase();
    if (!from && !to)
      return t(action === 'linked' ? 'h.hiddenLinked' : 'h.hiddenUnlinked', { ...values, kind });
    return t(action === 'linked' ? 'h.itemLinked' : 'h.itemUnlinked', { ...values, kind });
  }
  if (action === 'transferred' && !from) return t('h.transferredHere', values);
  const known = [
    'created',
    'transitioned',
    'transitionSkipped',
    'transferred',
    'claimed',
    'released',
    'linked',
    'unlinked',
    'runQueued',
    'runFinished',
  ];
  return t(known.includes(action) ? (`h.${action}` as 'h.created') : 'h.other', values);
}

function short(text: string | null | undefined): string {
  const line = plain(text ?? '').replace(/\s+/g, ' ');
  return line.length > LONG ? `${line.slice(0, LONG)}…` : line;
}
