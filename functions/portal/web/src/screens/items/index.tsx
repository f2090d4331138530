import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LayoutList, Plus, SquareKanban } from 'lucide-react';
import { useState } from 'react';
import { useItemAccess } from '@/app/access';
import { createAnywhere } from '@/app/creating';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import type { Command } from '@/commands/registry';
import { countsQuery } from '@/data/counts';
import { FilterBar } from '@/filter/FilterBar';
import { split } from '@/filter/language';
import { focusItem, useFollowingPeek, useItemCommands, useItemSelection } from '@/items/selection';
import { t as items } from '@/items/strings';
import { wrongTerm } from '@/items/useMatcher';
import { projectOf } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { EmptyState } from '@/ui/states';
import { workQuery } from '../home/work';
import { Peek } from '../item/Peek';
import styles from './items.module.css';
import { BoardLane, ListLane } from './Lanes';
import { GROUPS, type GroupKind, lanesOf, SORTS, type Sort, STATE_LANES } from './lanes';
import { t } from './strings';
import { ViewsOfOrganization } from './ViewsOfOrganization';

/** The items of every project that the viewer sees, as a list or a board. */
export default function Items() {
  const { slug } = useRouteParams('slug');
  const [search, change] = useSearchParams();
  const navigate = useNavigate();
  const { filter = '', q = '', as } = search;
  const board = as === 'board';
  const group: GroupKind = GROUPS.find((kind) => kind === search.group) ?? 'none';
  const sort: Sort = SORTS.find((one) => one === search.sort) ?? '-updated';
  const first = useQuery({ ...workQuery(slug, filter, sort, 1, 1, q), retry: false });
  const people = useQuery({
    ...countsQuery(slug, 'assignee', filter, q),
    enabled: group === 'assignee' && !board,
  });
  const wrong = wrongOf(filter, first.error);
  const asked = { slug, filter, q, sort };
  const open = (item: string) =>
    void navigate({
      to: '/o/$slug/p/$project/items/$item',
      params: { slug, project: projectOf(item), item },
    });
  const peek = (key: string) => change({ peek: search.peek === key ? undefined : key });
  const tabbable = useKeys(slug, search.peek, open, peek);
  const lanes = board ? STATE_LANES : lanesOf(group, people.data?.groups ?? []);
  const asks = group !== 'assignee' || board || people.data !== undefined;
  const total = first.data?.totalCount;
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
            label={t('sortBy', { by: t(sort) })}
            choices={SORTS.map((one) => ({ id: one, label: t(one) }))}
            current={sort}
            onChoose={(one) => change({ sort: one === '-updated' ? undefined : one })}
          />
          <Button kind="primary" size="small" icon={Plus} onClick={() => createAnywhere(slug)}>
            {t('create')}
          </Button>
        </>
      }
      bar={
        <div className={styles.toolbar}>
          <FilterBar slug={slug} project="" filter={filter} q={q} wrong={wrong} onChange={change} />
          <ViewsOfOrganization slug={slug} search={search} onSearch={change} />
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
        <section className={styles.board} aria-label={t('board')} tabIndex={0}>
          {lanes.map((lane) => (
            <BoardLane key={lane.id} asked={asked} lane={lane} tabbable={tabbable} onOpen={open} />
          ))}
        </section>
      ) : (
        <div className={styles.list}>
          {asks &&
            lanes.map((lane) => (
              <ListLane
                key={lane.id}
                asked={asked}
                lane={lane}
                bare={group === 'none'}
                tabbable={tabbable}
                onOpen={open}
              />
            ))}
        </div>
      )}
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

/** The keys of items on whichever is focused, in the order of the page. Answers the one that the tab key leads to. */
function useKeys(
  slug: string,
  peeked: string | undefined,
  onOpen: (key: string) => void,
  onPeek: (key: string) => void,
): string | undefined {
  const shown = () =>
    [...document.querySelectorAll<HTMLElement>('[data-card]')].flatMap(({ dataset }) => dataset.card ?? []);
  const [entered, enter] = useState<string>();
  const chosen = useItemSelection(shown);
  const focused = chosen.focused ?? entered;
  useFollowingPeek(chosen.focused, peeked, onPeek);
  const project = focused ? projectOf(focused) : undefined;
  const access = useItemAccess(slug, project);
  const go = (step: number) => () => {
    const keys = shown();
    const at = focused === undefined ? -1 : keys.indexOf(focused);
    const next = keys[Math.max(0, Math.min(keys.length - 1, at + step))];
    if (next === undefined) return;
    chosen.focus(next);
    enter(next);
    focusItem(next);
  };
  const movement: Command[] = [
    { id: 'list.down', title: items('nextItem'), keys: 'j', run: go(1) },
    { id: 'list.up', title: items('previousItem'), keys: 'k', run: go(-1) },
    { id: 'list.arrow-down', title: items('nextItem'), keys: 'down', run: go(1) },
    { id: 'list.arrow-up', title: items('previousItem'), keys: 'up', run: go(-1) },
  ].map((command) => ({ ...command, group: 'view', hidden: true }));
  useItemCommands({
    slug,
    project: project ?? '',
    chosen,
    access,
    onOpen,
    onPeek,
    selects: false,
    more: movement,
  });
  return focused;
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
