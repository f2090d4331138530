/** How columns and lanes are laid out. */
import { ChevronRight, Plus } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { Workflow } from '@/api/types';
import { moveRefusal } from '@/items/actions';
import { create } from '@/items/selection';
import { useLocal } from '@/lib/local';
import { plain } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import { IconButton } from '@/ui/Button';
import { LabelDot } from '@/ui/Chip';
import { StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import styles from './board.module.css';
import { CellCards, VirtualCards } from './ColumnView';
import type { Column, Lane } from './columns';
import type { Landing } from './landing';
import { t } from './strings';

interface Shared {
  graph: ProjectGraph;
  colors: ReadonlyMap<string, string>;
  focused: string | undefined;
  tabbable: string | undefined;
  selection: ReadonlySet<string>;
  over: Landing | undefined;
  /** State of the card that is being dragged. */
  from: string | undefined;
  mayAdd: boolean;
  workflow: Workflow;
  onOpen: (key: string, event: React.MouseEvent) => void;
  /** The one column that a phone shows. */
  tab: string | undefined;
}

function shownTab(workflow: Workflow, tab: string | undefined): string {
  return tab ?? workflow.states[0]?.name ?? '';
}

export function PlainColumns({
  lane,
  tab,
  from,
  workflow,
  mayAdd,
  ...cards
}: Shared & { lane: Lane | undefined }) {
  return (
    <div className={styles.columns}>
      {lane?.columns.map((column) => {
        const { name } = column.state;
        const refusal = from === undefined ? undefined : moveRefusal(workflow, from, name);
        return (
          <section
            key={name}
            className={styles.column}
            aria-label={t('column', { state: name, n: column.cards.length })}
            data-hidden={shownTab(workflow, tab) !== name || undefined}
          >
            <ColumnHead
              column={column}
              graph={cards.graph}
              mayAdd={mayAdd}
              refusal={refusal && t('noMove', { from: from ?? '' })}
            />
            <VirtualCards
              {...cards}
              {...ownOf(column, cards)}
              movable={mayAdd}
              column={column}
              lane=""
              refused={refusal !== undefined}
            />
          </section>
        );
      })}
    </div>
  );
}

/** What of the board concerns a column: another one need not be drawn again for it. */
function ownOf(
  column: Column,
  { focused, tabbable, over, graph }: Omit<Shared, 'from' | 'mayAdd' | 'workflow' | 'tab'>,
) {
  const { name } = column.state;
  const holds = (key: string | undefined) => key !== undefined && graph.card(key)?.state === name;
  return {
    focused: holds(focused) ? focused : undefined,
    tabbable: holds(tabbable) ? tabbable : undefined,
    over: over?.state === name ? over : undefined,
  };
}

interface ColumnHeadProps {
  column: Pick<Column, 'state' | 'total' | 'estimate'> & { cards: { readonly length: number } };
  graph: ProjectGraph;
  mayAdd: boolean;
  refusal: string | undefined;
  hidden?: boolean | undefined;
}

const ColumnHead = memo(function ColumnHead({ column, graph, mayAdd, refusal, hidden }: ColumnHeadProps) {
  const { state, cards, total, estimate } = column;
  const filtered = cards.length !== total;
  return (
    <header className={styles.head} data-hidden={hidden || undefined}>
      <StateGlyph group={state.group} />
      {state.color && <LabelDot color={state.color} />}
      <h2
        className={`${styles.name} truncate`}
        data-tip={state.description ? plain(state.description) : undefined}
      >
        {plain(state.name)}
      </h2>
      {(filtered || !state.wipLimit) && (
        <span className={styles.count}>
          {filtered ? `${number(cards.length)}/${number(total)}` : number(total)}
        </span>
      )}
      {state.wipLimit ? <Limit total={total} limit={state.wipLimit} /> : null}
      {refusal ? (
        <span className={`${styles.refusal} truncate`}>{refusal}</span>
      ) : (
        estimate > 0 && (
          <span className={styles.sum} data-tip={t('estimate')}>
            Σ {number(Math.round(estimate * 10) / 10)}
          </span>
        )
      )}
      {mayAdd && !refusal && (
        <IconButton
          icon={Plus}
          size="small"
          className={styles.add ?? ''}
          label={t('add', { state: state.name })}
          onClick={() => create({ slug: graph.slug, project: graph.project }, { state: state.name })}
        />
      )}
    </header>
  );
});

const number = (value: number) => value.toLocaleString('en');

/** How full a state is that has a limit. It is only said: more items are not refused. */
function Limit({ total, limit }: { total: number; limit: number }) {
  const over = total > limit;
  return (
    <span className={over ? styles.over : styles.count} data-tip={t('limit', { n: limit })}>
      {over ? t('over', { total, limit }) : `${total}/${limit}`}
    </span>
  );
}

export function Lanes({ lanes, tab, from, workflow, mayAdd, ...cards }: Shared & { lanes: Lane[] }) {
  const [folded, setFolded] = useLocal<string[]>(`lanes.${cards.graph.slug}.${cards.graph.project}`, []);
  const toggle = (id: string) =>
    setFolded(folded.includes(id) ? folded.filter((other) => other !== id) : [...folded, id]);
  const shown = shownTab(workflow, tab);
  const counts = useMemo(() => summed(lanes), [lanes]);
  return (
    <div className={styles.lanesInner}>
      <div className={styles.laneHeads}>
        {counts.map((column) => {
          const { name } = column.state;
          const refusal =
            from !== undefined && moveRefusal(workflow, from, name) ? t('noMove', { from }) : undefined;
          return (
            <ColumnHead
              key={name}
              column={column}
              graph={cards.graph}
              mayAdd={mayAdd}
              refusal={refusal}
              hidden={name !== shown}
            />
          );
        })}
      </div>
      {lanes.map((lane) => {
        const open = !folded.includes(lane.id);
        return (
          <section key={lane.id} aria-label={plain(lane.name)}>
            <button
              type="button"
              className={styles.laneTitle}
              aria-expanded={open}
              onClick={() => toggle(lane.id)}
            >
              <Icon of={ChevronRight} size={14} />
              {plain(lane.name)}
              <span className={styles.count}>{number(lane.count)}</span>
            </button>
            {open && (
              <div className={styles.laneRow}>
                {lane.columns.map((column) => (
                  <div key={column.state.name} data-hidden={column.state.name !== shown || undefined}>
                    <CellCards
                      {...cards}
                      {...ownOf(column, cards)}
                      movable={mayAdd}
                      column={column}
                      lane={lane.id}
                      refused={
                        from !== undefined && moveRefusal(workflow, from, column.state.name) !== undefined
                      }
                    />
                  </div>
                ))}
              </div>
            )}
          </section>
        );
      })}
    </div>
  );
}

/** Columns over all lanes, for their heads. */
function summed(lanes: Lane[]): ColumnHeadProps['column'][] {
  const [first] = lanes;
  return (first?.columns ?? []).map(({ state }, at) => {
    const all = lanes.map((lane) => lane.columns[at]).filter((column) => column !== undefined);
    return {
      state,
      cards: { length: all.reduce((sum, column) => sum + column.cards.length, 0) },
      total: all.reduce((sum, column) => sum + column.total, 0),
      estimate: all.reduce((sum, column) => sum + column.estimate, 0),
    };
  });
}

interface StateTabsProps {
  workflow: Workflow;
  lanes: Lane[];
  current: string | undefined;
  onChange: (state: string) => void;
}

/** On a phone one column is shown, chosen by these. */
export function StateTabs({ workflow, lanes, current, onChange }: StateTabsProps) {
  const shown = shownTab(workflow, current);
  const counts = useMemo(() => summed(lanes), [lanes]);
  return (
    <div className={styles.tabs} role="tablist" aria-label={t('board')}>
      {workflow.states.map((state, at) => (
        <button
          key={state.name}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={state.name === shown}
          onClick={() => onChange(state.name)}
        >
          <StateGlyph group={state.group} />
          {plain(state.name)}
          <span className={styles.count}>{number(counts[at]?.cards.length ?? 0)}</span>
        </button>
      ))}
    </div>
  );
}
