import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, LayoutList } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Workflow } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useLabelColors } from '@/data/projects';
import { FilterBar } from '@/filter/FilterBar';
import { WrongFilter } from '@/filter/WrongFilter';
import { BulkBar } from '@/items/Bulk';
import { CreateButton } from '@/items/CreateButton';
import { t as groups } from '@/items/group-strings';
import { movementOf, type Step } from '@/items/movement';
import rowStyles from '@/items/rows.module.css';
import {
  create,
  focusItem,
  rangeSelection,
  useFollowingPeek,
  useItemCommands,
  useItemSelection,
} from '@/items/selection';
import { t as items } from '@/items/strings';
import { useGrouping, useKnown } from '@/items/useGrouping';
import { useMatcher } from '@/items/useMatcher';
import { useNarrow } from '@/lib/media';
import { plain } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import { useCards } from '@/store/hooks';
import { Button } from '@/ui/Button';
import { StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import { EmptyState } from '@/ui/states';
import { Views } from '@/views/Views';
import { CHOICES, type Choice, HEADS, UNSORTED, useColumns } from './columns';
import { cellOf, ItemRow } from './ItemRow';
import { ListMenu } from './ListMenu';
import styles from './list.module.css';
import { GROUPS, type ListGroup, rowsOf } from './rows';
import { t } from './strings';

interface ListProps {
  /** Of the project. */
  name: string;
  graph: ProjectGraph;
  workflow: Workflow;
  search: Partial<Record<string, string>>;
  onSearch: (next: Record<string, string | undefined>) => void;
  onOpen: (key: string) => void;
}

/** Rows have one line, and two where the window is narrow; `list.module.css` says the same. */
const HEIGHT = 36;
const NARROW_HEIGHT = 56;
const HEADING_HEIGHT = 36;

/** The list of a loaded project. */
export function List({ name, graph, workflow, search, onSearch, onOpen }: ListProps) {
  const { slug, project } = graph;
  const place = useMemo(() => ({ slug, project }), [slug, project]);
  const access = useItemAccess(slug, project);
  const cards = useCards(graph);
  const colors = useLabelColors(slug, project);
  const { filter = '', q = '', sort = '' } = search;
  const [group, setGroup] = useGrouping(place, {
    name: 'group',
    kinds: GROUPS,
    first: 'state',
    search,
    onSearch,
  });
  const known = useKnown(place, workflow, group);
  const { matches, wrong, unknown } = useMatcher(slug, project, filter, q);
  const shown = useMemo(() => cards.filter(matches), [cards, matches]);
  const rows = useMemo(() => rowsOf(shown, known, group, sort, cards), [shown, known, group, sort, cards]);
  const [columns, toggleColumn] = useColumns(search.columns, (next) => onSearch({ columns: next }));
  const narrow = useNarrow();
  const chosen = useItemSelection(() =>
    rows.flatMap((row) => (row.kind === 'item' && !row.again ? row.card.key : [])),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (rows[at]?.kind === 'group' ? HEADING_HEIGHT : narrow ? NARROW_HEIGHT : HEIGHT),
    overscan: 6,
    getItemKey: (at) => rows[at]?.id ?? at,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are measured anew when what they depend on changes
  useEffect(() => virtual.measure(), [narrow, rows]);
  const peek = (key: string) => onSearch({ peek: search.peek === key ? undefined : key });
  useFollowingPeek(chosen.focused, search.peek, peek);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where the list begins, which is where it was left
  useEffect(() => {
    const at = rows.findIndex((row) => row.kind === 'item' && row.card.key === chosen.focused);
    if (at >= 0) virtual.scrollToIndex(at, { align: 'center' });
  }, []);
  const go = (step: Step, selecting: boolean) => () => {
    const start = rows.findIndex((row) => row.kind === 'item' && row.card.key === chosen.focused);
    for (let at = start + step; at >= 0 && at < rows.length; at += step) {
      const row = rows[at];
      if (row?.kind !== 'item' || row.again) continue;
      virtual.scrollToIndex(at, { align: 'auto' });
      if (selecting) chosen.extend(row.card.key);
      else chosen.focus(row.card.key);
      focusItem(row.card.key);
      return;
    }
  };
  const movement = movementOf(go);
  useItemCommands({ ...place, chosen, access, onOpen, onPeek: peek, pointing: true, more: movement });
  const movable = access.write && access.frozen === undefined;
  const first = rows.find((row) => row.kind === 'item');
  const tabbable = rows.some((row) => row.kind === 'item' && row.card.key === chosen.focused)
    ? chosen.focused
    : first?.kind === 'item'
      ? first.card.key
      : undefined;
  return (
    <Page
      fill
      title={t('list')}
      of={name}
      actions={
        <>
          <GroupMenu group={group} onChange={setGroup} />
          <ColumnsMenu columns={columns} onToggle={toggleColumn} />
          <ListMenu
            place={place}
            listed={{ filter, q, sort }}
            write={access.write}
            refusal={wrong.length > 0 ? t('wrongFilter') : undefined}
          />
          {access.write && <CreateButton refusal={access.frozen} create={() => create(place)} />}
        </>
      }
      bar={
        <div className={rowStyles.toolbar}>
          <FilterBar
            key={project}
            slug={slug}
            project={project}
            filter={filter}
            q={q}
            wrong={wrong}
            onChange={onSearch}
          />
          <Views
            slug={slug}
            project={project}
            listed={{ filter, q, sort }}
            opened={search.view}
            wrong={wrong.length > 0}
            onSearch={onSearch}
          />
          {(filter || q) && wrong.length === 0 && (
            <span className="meta tabular">{t('count', { shown: shown.length, total: cards.length })}</span>
          )}
        </div>
      }
    >
      {cards.length === 0 ? (
        <EmptyState
          icon={LayoutList}
          title={t('empty')}
          action={movable ? { label: t('create'), keys: 'c', run: () => create(place) } : undefined}
        />
      ) : unknown ? (
        <WrongFilter n={wrong.length} clear={() => onSearch({ filter: undefined, q: undefined })} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={t('emptyFilter')}
          action={{ label: t('clearFilter'), run: () => onSearch({ filter: undefined, q: undefined }) }}
        />
      ) : (
        <div ref={scroller} className={styles.scroller}>
          <div
            role="table"
            aria-label={t('title', { project: name })}
            aria-rowcount={rows.length}
            className={styles.table}
          >
            <Heads columns={columns} sort={sort} onSort={(next) => onSearch({ sort: next || undefined })} />
            <div
              role="rowgroup"
              className={styles.rows}
              style={{ height: virtual.getTotalSize() }}
              onFocus={(event) => {
                const row = (event.target as HTMLElement).closest<HTMLElement>('[data-card]');
                if (row) chosen.focus(row.dataset.card);
              }}
              {...rangeSelection(chosen)}
            >
              {virtual.getVirtualItems().map((item) => {
                const row = rows[item.index];
                if (!row) return null;
                const style = { transform: `translateY(${item.start}px)` };
                return row.kind === 'group' ? (
                  <div key={item.key} role="row" className={styles.group} style={style} tabIndex={-1}>
                    <span role="cell" className={styles.groupName}>
                      {row.group && <StateGlyph group={row.group} />}
                      {plain(row.name)} <span className="meta tabular">{row.count.toLocaleString('en')}</span>
                    </span>
                  </div>
                ) : (
                  <ItemRow
                    key={item.key}
                    graph={graph}
                    id={row.card.key}
                    colors={colors}
                    columns={columns}
                    style={style}
                    tabbable={!row.again && row.card.key === tabbable}
                    selected={chosen.selection.has(row.card.key)}
                    editable={movable}
                    onToggle={chosen.toggle}
                    onOpen={onOpen}
                  />
                );
              })}
            </div>
          </div>
        </div>
      )}
      <BulkBar place={place} chosen={chosen} access={access} />
    </Page>
  );
}

function GroupMenu({ group, onChange }: { group: ListGroup; onChange: (group: ListGroup) => void }) {
  return (
    <Menu
      align="end"
      entries={() =>
        GROUPS.map((kind) => ({
          label: groups(kind),
          checked: kind === group,
          run: () => onChange(kind),
        }))
      }
      trigger={(props) => (
        <Button {...props} kind="ghost" size="small">
          {group === 'none' ? t('group') : t('groupBy', { by: groups(group) })}
        </Button>
      )}
    />
  );
}

function ColumnsMenu({
  columns,
  onToggle,
}: {
  columns: readonly Choice[];
  onToggle: (choice: Choice) => void;
}) {
  return (
    <Menu
      align="end"
      entries={() =>
        CHOICES.map((choice) => ({
          label: t(HEADS[choice]),
          checked: columns.includes(choice),
          run: () => onToggle(choice),
        }))
      }
      trigger={(props) => (
        <Button {...props} kind="ghost" size="small" className={styles.columnsButton}>
          {t('columns')}
        </Button>
      )}
    />
  );
}

/** Column heads that sort: once up, once down, once back to the order by hand. */
function Heads({
  columns,
  sort,
  onSort,
}: {
  columns: readonly Choice[];
  sort: string;
  onSort: (sort: string) => void;
}) {
  const next = (column: string) => (sort === column ? `-${column}` : sort === `-${column}` ? '' : column);
  return (
    <div role="rowgroup" className={styles.heads}>
      <div role="row" className={styles.headRow} tabIndex={-1}>
        <span role="columnheader" className={rowStyles.select} tabIndex={-1} aria-label={items('select')} />
        {(['key', 'title', ...columns] as const).map((column) => {
          const active = sort.replace('-', '') === column;
          const label = t(HEADS[column]);
          return (
            <span
              key={column}
              role="columnheader"
              tabIndex={-1}
              className={cellOf(column)}
              aria-sort={active ? (sort.startsWith('-') ? 'descending' : 'ascending') : undefined}
            >
              {UNSORTED.includes(column) ? (
                label
              ) : (
                <button
                  type="button"
                  className={styles.sort}
                  aria-label={t('sortBy', { column: label })}
                  onClick={() => onSort(next(column))}
                >
                  {label}
                  {active && <Icon of={sort.startsWith('-') ? ArrowDown : ArrowUp} size={12} />}
                </button>
              )}
            </span>
          );
        })}
      </div>
    </div>
  );
}
