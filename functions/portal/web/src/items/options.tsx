/** What the fields of an item can be, as listboxes offer it: for items that are there, and for one that is made. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMe } from '@/data/me';
import { milestonesQuery } from '@/data/milestones';
import { labelsQuery, projectMembersQuery, sprintsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { LabelDot } from '@/ui/Chip';
import { PRIORITY_ORDER, PriorityGlyph, priorityName, TYPE_ORDER, TypeGlyph, typeName } from '@/ui/glyphs';
import type { Option } from '@/ui/Listbox';
import type { Place } from './actions';
import { t as p } from './picker-strings';
import { t } from './strings';

/** What a field holds: an id, null where it is empty, nothing where several items differ. */
type Held = string | null | undefined;

export function priorityOptions(held: Held): Option[] {
  return PRIORITY_ORDER.map((id) => ({
    id,
    label: priorityName(id),
    glyph: <PriorityGlyph priority={id} />,
    checked: held === id,
  }));
}

export function typeOptions(held: Held): Option[] {
  return TYPE_ORDER.filter((type) => type !== 'subtask').map((id) => ({
    id,
    label: typeName(id),
    glyph: <TypeGlyph type={id} />,
    checked: held === id,
  }));
}

/** Where items are; those of several projects are offered what all of these have. */
type Places = Place & { projects?: readonly string[] };

/** The people of a project; of several, those who are in all of them. */
function useMembers({ slug, project, projects = [project] }: Places) {
  const answers = useQueries({ queries: projects.map((key) => projectMembersQuery(slug, key)) });
  const [first, ...others] = answers.map(({ data }) => data ?? []);
  return (first ?? []).filter(({ userId }) =>
    others.every((members) => members.some((member) => member.userId === userId)),
  );
}

/** People, the one who looks first, and nobody. */
export function useAssigneeOptions(places: Places, held: Held): Option[] {
  const me = useMe();
  const others = useMembers(places).filter((member) => member.userId !== me.id);
  return [
    {
      id: me.id,
      label: p('me', { name: plain(me.displayName) }),
      words: p('meWords'),
      glyph: <Avatar name={me.displayName} picture={me.avatarKey} decorative />,
      checked: held === me.id,
    },
    ...others.map(({ userId, displayName }) => ({
      id: userId,
      label: plain(displayName),
      glyph: <Avatar name={displayName} decorative />,
      checked: held === userId,
    })),
    { id: '', label: t('nobody'), words: p('nobodyWords'), checked: held === null },
  ];
}

/** The name of somebody who can be assigned. */
export function useNameOf(places: Places): (user: string) => string {
  const me = useMe();
  const members = useMembers(places);
  return (user) =>
    user === me.id ? me.displayName : (members.find((member) => member.userId === user)?.displayName ?? '');
}

/** The labels of a project; of several, each once. */
export function useLabelOptions(
  { slug, project, projects = [project] }: Places,
  has: (name: string) => boolean,
): Option[] {
  const answers = useQueries({ queries: projects.map((key) => labelsQuery(slug, key)) });
  const all = answers.flatMap(({ data }) => data ?? []);
  const labels = new Map([...all].reverse().map((label) => [label.name.toLowerCase(), label]));
  return [...labels.values()].reverse().map(({ name, color }) => ({
    id: name,
    label: name,
    glyph: <LabelDot color={color} />,
    checked: has(name),
  }));
}

/** Sprints that are not over, and none. */
export function useSprintOptions({ slug, project }: Place, held: Held): Option[] {
  const { data: sprints } = useQuery(sprintsQuery(slug, project));
  return [
    { id: '', label: p('noSprint'), checked: held === null },
    ...(sprints?.items ?? [])
      .filter((sprint) => sprint.state !== 'completed')
      .map(({ id, name, team }) => ({
        id,
        label: plain(name),
        detail: team.name,
        checked: held === id,
      })),
  ];
}

/** Open milestones, the one that is held, and none. */
export function useMilestoneOptions({ slug, project }: Place, held: Held): Option[] {
  const { data: milestones } = useQuery(milestonesQuery(slug, project));
  return [
    { id: '', label: p('noMilestone'), checked: held === null },
    ...(milestones ?? [])
      .filter(({ id, state }) => state === 'open' || id === held)
      .map(({ id, name }) => ({ id, label: plain(name), checked: held === id })),
  ];
}
