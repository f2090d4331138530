import { useQuery } from '@tanstack/react-query';
import {
  Calendar,
  CornerLeftUp,
  Flag,
  Gauge,
  IterationCw,
  LayoutTemplate,
  Tag,
  UserRound,
} from 'lucide-react';
import type { ComponentProps } from 'react';
import type { ItemType, Priority, Template } from '@/api/types';
import { milestonesQuery } from '@/data/milestones';
import { sprintsQuery, useLabelColors, workflowQuery } from '@/data/projects';
import type { Place } from '@/items/actions';
import { DayList } from '@/items/DayList';
import { ItemSearch, mayHold } from '@/items/ItemSearch';
import { LabelList } from '@/items/LabelList';
import { NumberForm } from '@/items/NumberForm';
import {
  priorityOptions,
  typeOptions,
  useAssigneeOptions,
  useLabelOptions,
  useMilestoneOptions,
  useNameOf,
  useSprintOptions,
} from '@/items/options';
import { t as pickers } from '@/items/picker-strings';
import { dayName } from '@/lib/days';
import { plain } from '@/lib/text';
import { type CreationFields, labelsOf } from '@/store/creation';
import { graphOf } from '@/store/live';
import { Avatar } from '@/ui/Avatar';
import { LabelDot } from '@/ui/Chip';
import { PriorityGlyph, priorityName, StateGlyph, TypeGlyph, typeName } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Listbox, type Option } from '@/ui/Listbox';
import styles from './create.module.css';
import { FieldChip } from './FieldChip';
import { t } from './strings';

interface FieldsProps extends Place {
  fields: CreationFields;
  change: (fields: Partial<CreationFields>) => void;
  /** Templates of the chosen type. */
  templates: readonly Template[];
  onTemplate: (id: string) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}

/** Every field of a new item besides its texts, a chip each. */
export function Fields(props: FieldsProps) {
  const { fields, change, errorsOf } = props;
  const { type, priority, due, estimate } = fields;
  return (
    <fieldset className={styles.chips} aria-label={t('fields')}>
      <ChoiceChip
        label={t('type')}
        value={typeName(type)}
        glyph={<TypeGlyph type={type} />}
        errors={errorsOf('type')}
        options={typeOptions(type)}
        onChoose={(id) => {
          // An epic belongs to nothing.
          change({ type: id as ItemType, ...(id === 'epic' && { parent: undefined }) });
        }}
      />
      {props.templates.length > 0 && <TemplateChip {...props} />}
      <StateChip {...props} />
      <ChoiceChip
        label={t('priority')}
        value={priorityName(priority)}
        glyph={<PriorityGlyph priority={priority} />}
        errors={errorsOf('priority')}
        options={priorityOptions(priority)}
        onChoose={(id) => change({ priority: id as Priority })}
      />
      <AssigneeChip {...props} />
      <LabelsChip {...props} />
      <FieldChip
        label={t('estimate')}
        value={estimate === undefined ? undefined : t('estimated', { n: estimate })}
        glyph={<Icon of={Gauge} size={14} />}
        errors={errorsOf('estimate')}
      >
        {(close) => (
          <NumberForm
            label={t('estimate')}
            held={estimate}
            onChoose={(n) => {
              change({ estimate: n ?? undefined });
              close();
            }}
          />
        )}
      </FieldChip>
      <FieldChip
        label={t('due')}
        value={due && dayName(due)}
        glyph={<Icon of={Calendar} size={14} />}
        errors={errorsOf('due')}
      >
        {(close) => (
          <DayList
            held={due}
            onChoose={(day) => {
              change({ due: day ?? undefined });
              close();
            }}
          />
        )}
      </FieldChip>
      <SprintChip {...props} />
      <MilestoneChip {...props} />
      {type !== 'epic' && <ParentChip {...props} />}
    </fieldset>
  );
}

interface ChoiceChipProps extends Omit<ComponentProps<typeof FieldChip>, 'children'> {
  options: readonly Option[];
  onChoose: (id: string) => void;
}

function ChoiceChip({ options, onChoose, ...chip }: ChoiceChipProps) {
  return (
    <FieldChip {...chip}>
      {(close) => (
        <Listbox
          label={chip.label}
          options={options}
          onChoose={({ id }) => {
            onChoose(id);
            close();
          }}
        />
      )}
    </FieldChip>
  );
}

function TemplateChip({ templates, fields, onTemplate }: FieldsProps) {
  const chosen = templates.find(({ id }) => id === fields.template);
  const options = [
    ...templates.map(({ id, name }) => ({ id, label: plain(name), checked: id === chosen?.id })),
    { id: '', label: t('noTemplate'), checked: !chosen },
  ];
  return (
    <ChoiceChip
      label={t('template')}
      value={chosen && plain(chosen.name)}
      glyph={<Icon of={LayoutTemplate} size={14} />}
      options={options}
      onChoose={(id) => onTemplate(id)}
    />
  );
}

function StateChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const states = workflow?.states ?? [];
  const state = states.find(({ name }) => name === fields.state) ?? states[0];
  if (!state) return null;
  const options = states.map(({ name, group }) => ({
    id: name,
    label: plain(name),
    glyph: <StateGlyph group={group} />,
    checked: name === state.name,
  }));
  return (
    <ChoiceChip
      label={t('state')}
      value={plain(state.name)}
      glyph={<StateGlyph group={state.group} />}
      errors={errorsOf('state')}
      options={options}
      onChoose={(id) => change({ state: id })}
    />
  );
}

function AssigneeChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const options = useAssigneeOptions({ slug, project }, fields.assignee || null);
  const name = useNameOf({ slug, project })(fields.assignee);
  return (
    <ChoiceChip
      label={t('assignee')}
      value={fields.assignee ? plain(name || '…') : undefined}
      glyph={
        fields.assignee ? <Avatar name={name} size={16} decorative /> : <Icon of={UserRound} size={14} />
      }
      errors={errorsOf('assignee')}
      options={options}
      onChoose={(id) => change({ assignee: id })}
    />
  );
}

function LabelsChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const colors = useLabelColors(slug, project);
  const chosen = labelsOf(fields);
  const is = (name: string) => (label: string) => label.toLowerCase() === name.toLowerCase();
  const known = useLabelOptions({ slug, project }, (name) => chosen.some(is(name)));
  const fresh = chosen
    .filter((label) => !known.some(({ id }) => is(label)(id)))
    .map((id) => ({ id, label: id, glyph: <LabelDot />, checked: true }));
  const toggle = (name: string) => {
    const others = chosen.filter((label) => !is(name)(label));
    change({ labels: (others.length < chosen.length ? others : [...chosen, name]).join(', ') });
  };
  const [first] = chosen;
  return (
    <FieldChip
      label={t('labels')}
      value={first && chosen.map(plain).join(', ')}
      glyph={first ? <LabelDot color={colors.get(first.toLowerCase())} /> : <Icon of={Tag} size={14} />}
      errors={errorsOf('labels')}
    >
      {() => <LabelList options={[...fresh, ...known]} onToggle={toggle} />}
    </FieldChip>
  );
}

function SprintChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const { data: sprints } = useQuery(sprintsQuery(slug, project));
  const options = useSprintOptions({ slug, project }, fields.sprint ?? null);
  const name = sprints?.items.find(({ id }) => id === fields.sprint)?.name;
  if (options.length < 2) return null;
  return (
    <ChoiceChip
      label={t('sprint')}
      value={fields.sprint && plain(name ?? '…')}
      glyph={<Icon of={IterationCw} size={14} />}
      errors={errorsOf('sprint')}
      options={options}
      onChoose={(id) => change({ sprint: id || undefined })}
    />
  );
}

function MilestoneChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const { data: milestones } = useQuery(milestonesQuery(slug, project));
  const options = useMilestoneOptions({ slug, project }, fields.milestone ?? null);
  const name = milestones?.find(({ id }) => id === fields.milestone)?.name;
  if (options.length < 2) return null;
  return (
    <ChoiceChip
      label={t('milestone')}
      value={fields.milestone && plain(name ?? '…')}
      glyph={<Icon of={Flag} size={14} />}
      errors={errorsOf('milestone')}
      options={options}
      onChoose={(id) => change({ milestone: id || undefined })}
    />
  );
}

function ParentChip({ slug, project, fields, change, errorsOf }: FieldsProps) {
  const { parent } = fields;
  const title = parent && graphOf(slug, project).card(parent)?.title;
  return (
    <FieldChip
      label={t('parent')}
      value={parent && `${parent} ${plain(title ?? '')}`.trim()}
      glyph={<Icon of={CornerLeftUp} size={14} />}
      errors={errorsOf('parent')}
    >
      {(close) => (
        <ItemSearch
          slug={slug}
          project={project}
          label={pickers('whichParent')}
          only={mayHold}
          none={parent ? pickers('noParent') : undefined}
          onChoose={(key) => {
            change({ parent: key ?? undefined });
            close();
          }}
        />
      )}
    </FieldChip>
  );
}
