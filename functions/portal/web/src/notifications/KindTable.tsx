import { Fragment, type ReactNode } from 'react';
import type { Kind } from '@/data/notifications';
import { grouped } from './kinds';
import styles from './notifications.module.css';
import { t } from './strings';

export interface KindColumn<Entry> {
  id: string;
  name: string;
  /** What stands in the cell of an entry, which is named by `label`. */
  cell: (entry: Entry, label: string) => ReactNode;
}

interface KindTableProps<Entry> {
  label: string;
  entries: readonly Entry[];
  columns: readonly KindColumn<Entry>[];
  /** Words for a kind. */
  nameOf: (kind: Kind) => string;
  /** Whether what it says holds nowhere else. */
  dimmed?: (entry: Entry) => boolean;
}

/** Kinds of news down, places across. On a narrow window each kind is a block with its places below. */
export function KindTable<Entry extends { kind: Kind }>(props: KindTableProps<Entry>) {
  const { label, entries, columns, nameOf, dimmed } = props;
  return (
    <div className={styles.box}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('what')}</th>
            {columns.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grouped(entries).map((group) => (
            <Fragment key={group.id}>
              <tr className={styles.group}>
                <th colSpan={columns.length + 1} scope="rowgroup">
                  {t(`group_${group.id}`)}
                </th>
              </tr>
              {group.entries.map((entry) => (
                <tr key={entry.kind} data-dimmed={dimmed?.(entry) || undefined}>
                  <th scope="row">{nameOf(entry.kind)}</th>
                  {columns.map(({ id, name, cell }) => (
                    <td key={id} data-place={name}>
                      {cell(entry, t('cell', { kind: nameOf(entry.kind), place: name }))}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
