/**
 * What the palette leads to beside the commands of the page: every page, every section of the settings, and what is made
 * on other pages. Each is there for the people who find it there, too. Pure.
 */
import type { LucideIcon } from 'lucide-react';
import {
  BookMarked,
  BookText,
  Bot,
  Building2,
  CalendarClock,
  ChartLine,
  Cpu,
  Flag,
  FolderKanban,
  FolderPlus,
  Gauge,
  House,
  Inbox,
  IterationCcw,
  KeyRound,
  LayoutList,
  Map as MapIcon,
  MessageCircle,
  Radio,
  Search,
  Settings,
  Tag,
  Trash2,
  UserPlus,
  UserRound,
  UsersRound,
  Webhook,
  Workflow,
} from 'lucide-react';
import type { Access } from '@/app/access';
import { PROJECT_AREAS } from '@/app/areas';
import { t as shell } from '@/app/strings';
import { plain } from '@/lib/text';
import { accountSections, organizationSections, projectSections } from '../settings/sections';
import { t as settings } from '../settings/strings';
import { t } from './strings';

export interface Place {
  id: string;
  label: string;
  /** Whose page it is, where the label does not say it. */
  detail?: string | undefined;
  icon: LucideIcon;
  to: string;
  /** Whether something is made there; by which of the page's commands, if not by the page itself. */
  makes?: true;
  command?: string;
  refusal?: string | undefined;
}

interface Standing {
  me: { instanceAdmin?: boolean };
  slug: string;
  organization: Access;
  /** The project that is open, or was last. */
  project?: { key: string; name: string; access: Access } | undefined;
}

export function places({ me, slug, organization, project }: Standing): Place[] {
  return [
    ...organizationPlaces(`/o/${slug}`, organization),
    ...(project ? projectPlaces(`/o/${slug}`, project) : []),
    ...accountPlaces(me),
  ];
}

const FACTORY = [
  ['runs', Bot],
  ['agents', Bot],
  ['runners', Cpu],
  ['playbooks', BookMarked],
  ['rules', Workflow],
  ['schedules', CalendarClock],
  ['budgets', Gauge],
  ['insights', ChartLine],
] as const;

function organizationPlaces(at: string, access: Access): Place[] {
  const { administer, operate, frozen: refusal } = access;
  const make = administer
    ? ([
        ['invitation.new', 'invite', UserPlus, 'settings/invitations'],
        ['channel.new', 'newChannel', MessageCircle, 'settings/channels'],
        ['webhook.new', 'newWebhook', Webhook, 'settings/webhooks'],
        ['project.create', 'newProject', FolderPlus, 'p'],
        ['agent.new', 'newAgent', Bot, 'factory/agents'],
        ['runner.new', 'newRunner', Cpu, 'factory/runners'],
        ['budget.new', 'newBudget', Gauge, 'factory/budgets'],
      ] as const)
    : [];
  return [
    ...make.map(([command, label, icon, path]) => made(command, label, icon, `${at}/${path}`, refusal)),
    { id: 'go.home', label: shell('home'), icon: House, to: at },
    { id: 'go.inbox', label: shell('inbox'), icon: Inbox, to: '/inbox' },
    { id: 'go.projects', label: shell('projects'), icon: FolderKanban, to: `${at}/p` },
    { id: 'go.items', label: shell('items'), icon: LayoutList, to: `${at}/items` },
    { id: 'go.roadmap.all', label: shell('roadmapAll'), icon: MapIcon, to: `${at}/roadmap` },
    { id: 'go.activity', label: shell('activity'), icon: Radio, to: `${at}/activity` },
    { id: 'go.search', label: shell('search'), icon: Search, to: `${at}/search` },
    ...(operate ? [{ id: 'go.factory', label: shell('factory'), icon: Bot, to: `${at}/factory` }] : []),
    ...(operate ? FACTORY : []).map(([area, icon]) => ({
      id: `go.factory.${area}`,
      label: t(area),
      detail: shell('factory'),
      icon,
      to: `${at}/factory/${area}`,
    })),
    ...organizationSections(access).map((section) => ({
      id: `go.organization.${section}`,
      label: settings(`section_${section}`),
      detail: shell('organizationSettings'),
      icon: Settings,
      to: `${at}/settings/${section}`,
    })),
  ];
}

function projectPlaces(slugAt: string, project: NonNullable<Standing['project']>): Place[] {
  const { access, key } = project;
  const { write, configure, operate, frozen: refusal } = access;
  const at = `${slugAt}/p/${key}`;
  const name = plain(project.name);
  const factory = (area: string) => `${slugAt}/factory/${area}?project=${key}`;
  const make = [
    ...(write
      ? ([
          ['sprint.new', 'newSprint', IterationCcw, `${at}/sprints`],
          ['milestone.new', 'newMilestone', Flag, `${at}/milestones`],
          ['page.new', 'newPage', BookText, `${at}/wiki`],
        ] as const)
      : []),
    ...(configure && operate
      ? ([
          ['playbook.new', 'newPlaybook', BookMarked, factory('playbooks')],
          ['rule.new', 'newRule', Workflow, factory('rules')],
          ['schedule.new', 'newSchedule', CalendarClock, factory('schedules')],
        ] as const)
      : []),
    ...(configure
      ? ([
          ['label.new', 'newLabel', Tag, `${at}/settings/labels`],
          ['template.new', 'newTemplate', BookText, `${at}/settings/templates`],
          ['team.new', 'newTeam', UsersRound, `${at}/settings/teams`],
        ] as const)
      : []),
  ];
  return [
    ...make.map(([command, label, icon, to]) => ({
      ...made(command, label, icon, to, refusal),
      detail: name,
    })),
    ...PROJECT_AREAS.filter(({ path }) => path !== 'settings').map(({ path, icon, label }) => ({
      id: `go.${path}`,
      label: shell(label),
      detail: name,
      icon,
      to: `${at}/${path}`,
    })),
    ...(write
      ? [{ id: 'list.deleted', label: t('deleted'), detail: name, icon: Trash2, to: `${at}/deleted-items` }]
      : []),
    ...projectSections(access).map((section) => ({
      id: `go.project.${section}`,
      label: settings(`section_${section}`),
      detail: t('settingsOf', { name }),
      icon: Settings,
      to: `${at}/settings/${section}`,
    })),
  ];
}

function accountPlaces(me: Standing['me']): Place[] {
  return [
    made('token.new', 'newToken', KeyRound, '/settings/tokens'),
    {
      id: 'organization.new',
      label: shell('newOrganization'),
      icon: Building2,
      to: '/new-organization',
      makes: true,
    },
    ...accountSections(me).map((section) => ({
      id: `go.account.${section}`,
      label: settings(`section_${section}`),
      detail: shell('account'),
      icon: UserRound,
      to: `/settings/${section}`,
    })),
  ];
}

/** What is made on another page, by a command of that page. */
function made(
  command: string,
  label: Parameters<typeof t>[0],
  icon: LucideIcon,
  to: string,
  refusal?: string | undefined,
): Place {
  return { id: command, label: t(label), icon, to, makes: true, command, refusal };
}
