/** The fields of the language for people: their names, their icons, and what a project offers for each. */
import { useQuery } from '@tanstack/react-query';
import {
  AlignLeft,
  Calendar,
  CalendarCheck,
  CalendarClock,
  CalendarPlus,
  CircleDot,
  CircleSlash,
  CornerLeftUp,
  Eye,
  Flag,
  FolderKanban,
  Hand,
  Hash,
  Heading,
  Hourglass,
  IterationCcw,
  type LucideIcon,
  MessageSquare,
  PackageCheck,
  PenLine,
  Shapes,
  SignalHigh,
  Tag,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { ItemType, Priority, StateGroup } from '@/api/types';
import { useAccess } from '@/app/access';
import { countsQuery } from '@/data/counts';
import { agentsQuery } from '@/data/factory';
import { milestonesQuery } from '@/data/milestones';
import {
  labelsQuery,
  projectMembersQuery,
  projectsQuery,
  sprintsQuery,
  workflowQuery,
} from '@/data/projects';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { LabelDot } from '@/ui/Chip';
import {
  PRIORITY_ORDER,
  PriorityGlyph,
  priorityName,
  StateGlyph,
  TYPE_ORDER,
  TypeGlyph,
  typeName,
} from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { t } from './field-strings';
import { quoted, referTo } from './language';

const ICONS = {
  state: CircleDot,
  type: Shapes,
  priority: SignalHigh,
  assignee: UserRound,
  label: Tag,
  sprint: IterationCcw,
  milestone: Flag,
  due: Calendar,
  claimed: Hand,
  blocked: CircleSlash,
  estimate: Hash,
  remaining: Hourglass,
  parent: CornerLeftUp,
  creator: PenLine,
  created: CalendarPlus,
  updated: CalendarClock,
  resolved: CalendarCheck,
  watching: Eye,
  has: PackageCheck,
  text: AlignLeft,
  title: Heading,
  commented: MessageSquare,
  project: FolderKanban,
} satisfies Record<string, LucideIcon>;

export type AnyField = keyof typeof ICONS;

export const ALL_FIELDS = Object.keys(ICONS) as AnyField[];

export function isField(name: string): name is AnyField {
  return name in ICONS;
}

export function FieldIcon({ field }: { field: AnyField }) {
  return <Icon of={ICONS[field]} size={14} />;
}

/** What a field can be compared with. */
interface FieldValue {
  /** As a filter writes it. */
  value: string;
  /** As people call it. */
  label: string;
  /** How it was written before names were. */
  id?: string | undefined;
  about?: string | undefined;
  glyph?: ReactNode;
}

const GROUPS: StateGroup[] = ['backlog', 'active', 'resolved', 'closed'];
const HAS = [
  'assignee',
  'claim',
  'due',
  'estimate',
  'label',
  'link',
  'milestone',
  'parent',
  'remaining',
  'run',
];

/** By what the items of an organization are counted to learn which values of a field there are. */
const COUNTED: Partial<Record<AnyField, 'state' | 'label' | 'sprint' | 'milestone' | 'assignee'>> = {
  state: 'state',
  label: 'label',
  sprint: 'sprint',
  milestone: 'milestone',
  assignee: 'assignee',
  claimed: 'assignee',
  creator: 'assignee',
  commented: 'assignee',
};

/** What items of any project have for a field, as names and ids. */
function useCounted(slug: string, field: AnyField | undefined) {
  const by = field && COUNTED[field];
  const { data } = useQuery({ ...countsQuery(slug, by ?? 'state'), enabled: by !== undefined });
  const found = by === undefined ? [] : (data?.groups ?? []);
  return found.flatMap(({ value, name }) => (value ? [{ id: value, name: name ?? value }] : []));
}

/** What a project offers for a field, or all projects where none is named. Only what the field needs is read. */
export function useFieldValues(slug: string, project: string, field: AnyField | undefined): FieldValue[] {
  const { operate } = useAccess(slug);
  const persons = field === 'assignee' || field === 'claimed' || field === 'creator' || field === 'commented';
  const everywhere = project === '';
  const counted = useCounted(slug, everywhere ? field : undefined);
  const asks = (wanted: boolean) => ({ enabled: wanted && !everywhere });
  const { data: workflow } = useQuery({ ...workflowQuery(slug, project), ...asks(field === 'state') });
  const { data: labels } = useQuery({ ...labelsQuery(slug, project), ...asks(field === 'label') });
  const { data: members } = useQuery({ ...projectMembersQuery(slug, project), ...asks(persons) });
  const { data: agents } = useQuery({ ...agentsQuery(slug), enabled: persons && operate });
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), ...asks(field === 'sprint') });
  const { data: milestones } = useQuery({
    ...milestonesQuery(slug, project),
    ...asks(field === 'milestone'),
  });
  const { data: projects } = useQuery({ ...projectsQuery(slug), enabled: field === 'project' });
  const word = (value: string, label: string, about?: string): FieldValue => ({ value, label, about });
  const days = [
    word('today', t('today')),
    word('tomorrow', t('tomorrow')),
    word('<=friday', t('byFriday')),
    word('<=+7d', t('week')),
    word('none', t('noDay')),
    word('any', t('anyDay')),
  ];
  const past = [word('today', t('today')), word('>=-7d', t('lastWeek')), word('>=-1m', t('lastMonth'))];
  const people = [
    word('@me', t('me')),
    ...(everywhere && persons
      ? counted.filter(({ id }) => !agents?.some((agent) => agent.id === id))
      : (members ?? []).map(({ userId: id, displayName: name }) => ({ id, name }))
    ).map(({ id, name }) => ({
      value: referTo({ id, name }),
      label: plain(name),
      id,
      glyph: <Avatar name={name} size={16} decorative />,
    })),
    ...(agents ?? []).map(({ id, name }) => ({
      value: referTo({ id, name }),
      label: plain(name),
      id,
      glyph: <Avatar name={name} agent size={16} decorative />,
    })),
  ];
  switch (field) {
    case 'state':
      return [
        ...GROUPS.map((group) => ({
          value: group,
          label: t(`group.${group}` as 'group.active'),
          about: t('about.group'),
          glyph: <StateGlyph group={group} />,
        })),
        ...(everywhere ? counted.map(({ name }) => ({ name, group: undefined })) : (workflow?.states ?? []))
          .filter(({ name }) => !GROUPS.includes(name.toLowerCase() as StateGroup))
          .map(({ name, group }) => ({
            value: quoted(name),
            label: plain(name),
            glyph: group && <StateGlyph group={group} />,
          })),
      ];
    case 'type':
      return TYPE_ORDER.map((type: ItemType) => ({
        value: type,
        label: typeName(type),
        glyph: <TypeGlyph type={type} />,
      }));
    case 'priority':
      return [
        ...PRIORITY_ORDER.map((priority: Priority) => ({
          value: priority,
          label: priorityName(priority),
          glyph: <PriorityGlyph priority={priority} />,
        })),
        word('>=high', t('highOrMore')),
      ];
    case 'label':
      if (everywhere) return counted.map(({ name }) => ({ value: quoted(name), label: plain(name) }));
      return (labels ?? []).map(({ name, color, description }) => ({
        value: quoted(name),
        label: plain(name),
        about: description ? plain(description) : undefined,
        glyph: <LabelDot color={color} />,
      }));
    case 'sprint':
      return [
        word('current', t('current')),
        word('none', t('noSprint')),
        ...(everywhere ? counted : (sprints?.items ?? [])).map(({ id, name }) => ({
          value: referTo({ id, name }),
          label: plain(name),
          id,
        })),
      ];
    case 'milestone':
      return [
        word('none', t('noMilestone')),
        word('any', t('anyMilestone')),
        ...(everywhere ? counted : (milestones ?? [])).map(({ id, name }) => ({
          value: referTo({ id, name }),
          label: plain(name),
          id,
        })),
      ];
    case 'assignee':
      return [...people, word('none', t('nobody')), word('any', t('anybody'))];
    case 'claimed':
      return [word('@agent', t('anAgent')), ...people, word('none', t('nobody')), word('any', t('anybody'))];
    case 'creator':
      return people;
    case 'commented':
      return [...people, word('none', t('nobody')), word('any', t('anybody'))];
    case 'project':
      return (projects ?? []).map(({ key, name }) => word(key, plain(name), key));
    case 'blocked':
      return [word('true', t('yes')), word('false', t('no'))];
    case 'estimate':
    case 'remaining':
      return [
        word('none', t('noNumber')),
        word('any', t('anyNumber')),
        word('>4', '> 4'),
        word('<=2', '≤ 2'),
      ];
    case 'parent':
      return [word('none', t('noParent'))];
    case 'due':
      return [word('<today', t('dayOver')), ...days];
    case 'created':
    case 'updated':
    case 'resolved':
      return past;
    case 'watching':
      return [word('@me', t('me'))];
    case 'has':
      return HAS.map((thing) => word(thing, t(`has.${thing}` as 'has.run')));
    default:
      return [];
  }
}
