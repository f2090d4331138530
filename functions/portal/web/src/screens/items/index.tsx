import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LayoutList, SquareKanban } from 'lucide-react';
import { type FocusEvent, useRef } from 'react';
import { createAnywhere } from '@/app/creating';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import { countsQuery } from '@/data/counts';
import { FilterBar } from '@/filter/FilterBar';
import { split } from '@/filter/language';
import type { Listed } from '@/filter/listed';
import { BulkBar } from '@/items/Bulk';
import { CreateButton } from '@/items/CreateButton';
import rows from '@/items/rows.module.css';
import { rangeSelection } from '@/items/selection';
import { wrongTerm } from '@/items/useMatcher';
import { useNarrow } from '@/lib/media';
import { projectOf } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { EmptyState } from '@/ui/states';
import { Views } from '@/views/Views';
import { PAGE, workQuery } from '../home/work';
import { Peek } from '../item/Peek';
import styles from './items.module.css';
import { useKeys } from './keys';
import { BoardLane, ListLane } from './Lanes';
import { GROUPS, type GroupKind, lanesOf, SORTS, type Sort, STATE_LANES } from './lanes';
import { t } from './strings';
import { useDrop } from './useDrop';

/** The items of every project that the viewer sees, as a list or a board. */
export default function Items() {
  const { slug } = useRouteParams('slug');
  const [search, change] = useSearchParams();
  const navigate = useNavigate();
  const { filter = '', q = '', as } = search;
  const board = as === 'board';
  const group: GroupKind = GROUPS.find((kind) => kind === search.group) ?? 'none';
  const sort: Sort = SORTS.find((one) => one === search.sort) ?? '-updated';
  const grouped = board || group !== 'none';
  // One list is counted by what lists it: a count that came before its rows would have keys pressed for rows that are not there.
  const first = useQuery({ ...workQuery(slug, filter, sort, 1, grouped ? 1 : PAGE, q), retry: false });
  const people = useQuery({
    ...countsQuery(slug, 'assignee', filter, q),
    enabled: group === 'assignee' && !board,
  });
  const wrong = wrongOf(filter, first.error);
  const asked = { slug, filter, q, sort };
  const listed: Listed = {
    filter,
    q,
    sort: search.sort ?? '',
    group: search.group ?? '',
    layout: board ? 'board' : 'list',
  };
  const open = (item: string) =>
    void navigate({
      to: '/o/$slug/p/$project/items/$item',
      params: { slug, project: projectOf(item), item },
    });
  const peek = (key: string) => change({ peek: search.peek === key ? undefined : key });
  const { chosen, access, tabbable } = useKeys(slug, search.peek, open, peek);
  const lanes = board ? STATE_LANES : lanesOf(group, people.data?.groups ?? []);
  const asks = group !== 'assignee' || board || people.data !== undefined;
  const total = first.data?.totalCount;
  const narrow = useNarrow();
  const root = useRef<HTMLDivElement>(null);
  const { dropped, over } = useDrop(root, {
    slug,
    lanes,
    chosen,
    enabled: grouped,
    address: JSON.stringify(asked),
  });
  const shared = {
    asked,
    tabbable,
    dropped,
    selection: chosen.selection,
    onToggle: chosen.toggle,
    onOpen: open,
  };
  const around = {
    ...rangeSelection(chosen),
    onFocus: (event: FocusEvent) => {
      const key = event.target.closest<HTMLElement>('[data-card]')?.dataset.card;
      if (key) chosen.focus(key);
    },
  };
  const clear = () => change({ filter: undefined, q: undefined, view: undefined });
  return (
    <Page
      fill
      title={t('title')}
      actions={
        <>
          <span role="group" aria-label={t('show')} className={styles.switch}>
            <IconButton
              icon={LayoutList}
              size="small"
              label={t('list')}
              aria-pressed={!board}
              onClick={() => change({ as: undefined })}
            />
            <IconButton
              icon={SquareKanban}
              size="small"
              label={t('board')}
              aria-pressed={board}
              onClick={() => change({ as: 'board' })}
            />
          </span>
          {!board && (
            <Choice
              label={group === 'none' ? t('group') : t('groupBy', { by: t(`group.${group}`) })}
              choices={GROUPS.map((kind) => ({ id: kind, label: t(`group.${kind}`) }))}
              current={group}
              onChoose={(kind) => change({ group: kind === 'none' ? undefined : kind })}
            />
          )}
          <Choice
            label={narrow ? t('sort') : t('sortBy', { by: t(sort) })}
            choices={SORTS.map((one) => ({ id: one, label: t(one) }))}
            current={sort}
            onChoose={(one) => change({ sort: one === '-updated' ? undefined : one })}
          />
          <CreateButton create={() => createAnywhere(slug)} />
        </>
      }
      bar={
        <div className={rows.toolbar}>
          <FilterBar slug={slug} project="" filter={filter} q={q} wrong={wrong} onChange={change} />
          <Views
            slug={slug}
            project={undefined}
            listed={listed}
            opened={search.view}
            wrong={wrong.length > 0}
            onSearch={change}
          />
          {total !== undefined && <span className="meta tabular">{t('count', { n: total })}</span>}
        </div>
      }
    >
      <FrozenBar slug={slug} />
      {total === 0 ? (
        filter || q ? (
          <EmptyState title={t('emptyFilter')} action={{ label: t('clearFilter'), run: clear }} />
        ) : (
          <EmptyState
            icon={LayoutList}
            title={t('empty')}
            action={{ label: t('create'), keys: 'c', run: () => createAnywhere(slug) }}
          >
            {t('emptyDetail')}
          </EmptyState>
        )
      ) : wrong.length > 0 ? (
        <EmptyState title={t('emptyFilter')} action={{ label: t('clearFilter'), run: clear }} />
      ) : board ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
        <section className={styles.board} aria-label={t('board')} tabIndex={0} ref={root} {...around}>
          {lanes.map((lane) => (
            <BoardLane key={lane.id} {...shared} lane={lane} over={over === lane.id} />
          ))}
        </section>
      ) : (
        <div className={styles.list} ref={root} {...around}>
          {asks &&
            lanes.map((lane) => (
              <ListLane
                key={lane.id}
                {...shared}
                lane={lane}
                bare={group === 'none'}
                over={over === lane.id}
              />
            ))}
        </div>
      )}
      <BulkBar
        place={{ slug, project: projectOf(chosen.targets[0] ?? '') }}
        chosen={chosen}
        access={access}
      />
      <Peek
        slug={slug}
        project={search.peek ? projectOf(search.peek) : ''}
        item={search.peek}
        onClose={() => change({ peek: undefined })}
        onOpen={open}
      />
    </Page>
  );
}

/** What the service says of the filter, by the term that it names. */
function wrongOf(filter: string, error: unknown) {
  const terms = split(filter);
  return wrongTerm('', error).map(({ reason }) => ({
    reason,
    term: terms.find((term) => reason.includes(term.replace(/^.*?:/, ''))) ?? terms.at(-1) ?? '',
  }));
}

interface ChoiceProps<Id extends string> {
  label: string;
  choices: readonly { id: Id; label: string }[];
  current: Id;
  onChoose: (id: Id) => void;
}

function Choice<Id extends string>({ label, choices, current, onChoose }: ChoiceProps<Id>) {
  return (
    <Menu
      align="end"
      entries={() =>
        choices.map(({ id, label }) => ({ label, checked: id === current, run: () => onChoose(id) }))
      }
      trigger={(props) => (
        <Button {...props} kind="ghost" size="small">
          {label}
        </Button>
      )}
    />
  );
}
