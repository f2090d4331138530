import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Workflow } from '@/api/types';
import { sprintsQuery, workflowQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { useProjects } from '@/store/useProjects';
import { StateGlyph } from '@/ui/glyphs';
import { Listbox, type Option } from '@/ui/Listbox';
import PopoverPopup from '@/ui/popups/PopoverPopup';
import { Skeleton } from '@/ui/Skeleton';
import {
  columnOf,
  type Fields,
  moveCard,
  moveCards,
  moveEach,
  moveRefusal,
  type Place,
  projectAt,
  setFields,
  setLabel,
  setSprint,
} from './actions';
import { DayList } from './DayList';
import { ItemSearch, mayHold } from './ItemSearch';
import { LabelList } from './LabelList';
import { LinkPicker } from './LinkPicker';
import { NumberForm } from './NumberForm';
import {
  priorityOptions,
  typeOptions,
  useAssigneeOptions,
  useLabelOptions,
  useMilestoneOptions,
  useNameOf,
  useSprintOptions,
} from './options';
import { type Picking, pick, projectsOf } from './pick';
import { t as p } from './picker-strings';
import { t } from './strings';

/** The picker that is open, for whatever screen asked for it. */
export default function Pickers(open: Picking) {
  const close = () => pick(undefined);
  // Lists across projects show items of projects that are not open.
  const loaded = useProjects(open.slug, projectsOf(open, open.keys));
  return (
    <PopoverPopup anchor={open.anchor} label={titleOf(open)} align="start" onClose={close}>
      {loaded ? <Picker {...open} onDone={close} /> : <Skeleton label={t('loading')} rows={4} />}
    </PopoverPopup>
  );
}

function titleOf({ kind, keys }: Picking): string {
  if (kind === 'move')
    return keys.length === 1 ? t('moveTo', { key: keys[0] ?? '' }) : p('moveMany', { n: keys.length });
  return t(kind);
}

type PickerProps = Picking & { onDone: () => void };

function Picker(props: PickerProps) {
  switch (props.kind) {
    case 'state':
      return <StatePicker {...props} />;
    case 'move':
      return <MovePicker {...props} />;
    case 'priority':
    case 'type':
      return <WordPicker {...props} />;
    case 'assignee':
      return <AssigneePicker {...props} />;
    case 'labels':
      return <LabelPicker {...props} />;
    case 'sprint':
      return <SprintPicker {...props} />;
    case 'milestone':
      return <MilestonePicker {...props} />;
    case 'estimate':
    case 'remaining':
      return <NumberPicker {...props} kind={props.kind} />;
    case 'due':
      return <DuePicker {...props} />;
    case 'parent':
      return <ParentPicker {...props} />;
    case 'link':
      return <LinkPicker {...props} />;
  }
}

function useCardsOf({ slug, project, keys }: Picking): Card[] {
  return keys
    .map((key) => graphOf(slug, projectAt({ project }, key)).card(key))
    .filter((card) => card !== undefined);
}

/** The workflows of the projects of the items, by project; nothing until all are there. */
function useWorkflows({ slug, project, keys }: Picking): ReadonlyMap<string, Workflow> | undefined {
  const projects = projectsOf({ project }, keys);
  const answers = useQueries({ queries: projects.map((key) => workflowQuery(slug, key)) });
  const known = answers.flatMap(({ data }, at): [string, Workflow][] =>
    data ? [[projects[at] ?? '', data]] : [],
  );
  return known.length === projects.length ? new Map(known) : undefined;
}

function setAll(props: PickerProps, cards: Card[], fields: Fields): void {
  setFields(props, cards, fields);
  props.onDone();
}

/** The value that all cards have, if there is one. */
function shared<T>(cards: Card[], read: (card: Card) => T): T | undefined {
  const first = cards[0] && read(cards[0]);
  return cards.every((card) => read(card) === first) ? first : undefined;
}

function StatePicker(props: PickerProps) {
  const workflows = useWorkflows(props);
  const cards = useCardsOf(props);
  const workflowOf = (card: Card) => workflows?.get(projectAt(props, card.key));
  const choose = ({ id }: Option) => {
    const moves = cards.flatMap((card) => {
      const workflow = workflowOf(card);
      return workflow ? { card, workflow, state: stateNamed(workflow, id) ?? id } : [];
    });
    moveEach(props, moves, id);
    props.onDone();
  };
  return (
    <Listbox label={titleOf(props)} options={statesOfAll(workflows, cards, workflowOf)} onChoose={choose} />
  );
}

/** A state of the workflow by its name, whatever its case. */
function stateNamed(workflow: Workflow, name: string): string | undefined {
  return workflow.states.find((state) => state.name.toLowerCase() === name.toLowerCase())?.name;
}

/** The states that every workflow has. One that no item may go to is told why. */
function statesOfAll(
  workflows: ReadonlyMap<string, Workflow> | undefined,
  cards: Card[],
  workflowOf: (card: Card) => Workflow | undefined,
): Option[] {
  const [first, ...others] = workflows?.values() ?? [];
  const common = first?.states.filter(({ name }) => others.every((other) => stateNamed(other, name)));
  return (common ?? []).map(({ name, group }) => {
    const refusals = cards.map((card) => {
      const workflow = workflowOf(card);
      return workflow && moveRefusal(workflow, card.state, stateNamed(workflow, name) ?? name);
    });
    return {
      id: name,
      label: name,
      glyph: <StateGlyph group={group} />,
      checked: shared(cards, (card) => card.state.toLowerCase()) === name.toLowerCase(),
      refusal:
        cards.length > 0 && refusals.every((refusal) => refusal !== undefined) ? refusals[0] : undefined,
    };
  });
}

/** The Move menu: everything that dragging can do, without dragging. */
function MovePicker(props: PickerProps) {
  const { data: workflow } = useQuery(workflowQuery(props.slug, props.project));
  const cards = useCardsOf(props);
  const card = cards[0];
  const places = card && cards.length === 1 ? placeOptions(props, card) : [];
  const workflows = workflow && new Map([[props.project, workflow]]);
  const states = statesOfAll(workflows, cards, () => workflow).map((option) => ({
    ...option,
    group: p('states'),
  }));
  const choose = ({ id }: Option) => {
    const [kind, value] = id.includes('\0') ? id.split('\0') : ['state', id];
    if (workflow && kind === 'state') moveCards(props, workflow, cards, value ?? '');
    else if (workflow && card) moveCard(props, workflow, card, { after: value || null });
    props.onDone();
  };
  return <Listbox label={titleOf(props)} options={[...states, ...places]} onChoose={choose} />;
}

function placeOptions(place: Place, card: Card): Option[] {
  const column = columnOf(place, card.state).filter((other) => other.key !== card.key);
  if (column.length === 0) return [];
  const group = p('places', { state: card.state });
  return [
    { id: 'after\0', label: p('toTop', { state: card.state }), group },
    { id: `after\0${column.at(-1)?.key}`, label: p('toBottom', { state: card.state }), group },
    ...column.slice(1, 50).map((other, at) => ({
      id: `after\0${column[at]?.key}`,
      label: p('before', { key: other.key }),
      words: plain(other.title),
      detail: <span className="truncate">{plain(other.title).slice(0, 24)}</span>,
      group,
    })),
  ];
}

function WordPicker(props: PickerProps) {
  const cards = useCardsOf(props);
  const priority = props.kind === 'priority';
  const options = priority
    ? priorityOptions(shared(cards, (card) => card.priority))
    : typeOptions(shared(cards, (card) => card.type));
  const choose = ({ id }: Option) =>
    setAll(props, cards, priority ? { priority: id as never } : { type: id as never });
  return <Listbox label={titleOf(props)} options={options} onChoose={choose} />;
}

function AssigneePicker(props: PickerProps) {
  const places = { ...props, projects: projectsOf(props, props.keys) };
  const nameOf = useNameOf(places);
  const cards = useCardsOf(props);
  const options = useAssigneeOptions(
    places,
    shared(cards, (card) => card.assignee?.id ?? null),
  );
  const choose = ({ id }: Option) =>
    setAll(props, cards, { assignee: id ? { id, name: nameOf(id), agent: false } : null });
  return <Listbox label={titleOf(props)} options={options} onChoose={choose} />;
}

function LabelPicker(props: PickerProps) {
  const [changed, setChanged] = useState(0);
  const cards = useCardsOf(props);
  const has = (name: string) =>
    cards.every((card) => card.labels.some((label) => label.toLowerCase() === name.toLowerCase()));
  const options = useLabelOptions({ ...props, projects: projectsOf(props, props.keys) }, has);
  const toggle = (name: string) => {
    setLabel(props, cards, name, !has(name));
    setChanged(changed + 1);
  };
  return <LabelList options={options} onToggle={toggle} />;
}

function SprintPicker(props: PickerProps) {
  const { data: sprints } = useQuery(sprintsQuery(props.slug, props.project));
  const cards = useCardsOf(props);
  const options = useSprintOptions(
    props,
    shared(cards, (card) => card.sprint ?? null),
  );
  const choose = ({ id }: Option) => {
    setSprint(
      props,
      cards,
      sprints?.items.find((sprint) => sprint.id === id),
    );
    props.onDone();
  };
  return <Listbox label={titleOf(props)} options={options} onChoose={choose} />;
}

function MilestonePicker(props: PickerProps) {
  const cards = useCardsOf(props);
  const options = useMilestoneOptions(
    props,
    shared(cards, (card) => card.milestone ?? null),
  );
  const choose = ({ id }: Option) => setAll(props, cards, { milestone: id || null });
  return <Listbox label={titleOf(props)} options={options} onChoose={choose} />;
}

function ParentPicker(props: PickerProps) {
  const cards = useCardsOf(props);
  const none = cards.some((card) => card.parent) && cards.every((card) => card.type !== 'subtask');
  return (
    <ItemSearch
      {...props}
      label={p('whichParent')}
      except={props.keys}
      only={mayHold}
      none={none ? p('noParent') : undefined}
      onChoose={(parent) => setAll(props, cards, { parent })}
    />
  );
}

function NumberPicker(props: PickerProps & { kind: 'estimate' | 'remaining' }): ReactNode {
  const cards = useCardsOf(props);
  return (
    <NumberForm
      label={t(props.kind)}
      held={shared(cards, (card) => card[props.kind])}
      onChoose={(value) => setAll(props, cards, { [props.kind]: value })}
    />
  );
}

function DuePicker(props: PickerProps): ReactNode {
  const cards = useCardsOf(props);
  return (
    <DayList held={shared(cards, (card) => card.due)} onChoose={(due) => setAll(props, cards, { due })} />
  );
}
