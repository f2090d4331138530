import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { BookOpen, BookText, LogOut, MessageSquare, Search, SquareKanban, UserRound } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { data, http } from '@/api/client';
import type { Project, SearchResult } from '@/api/types';
import { useAccess, useItemAccess } from '@/app/access';
import { THEMES, useLastProject } from '@/app/areas';
import { useCurrentSlug } from '@/app/Sidebar';
import { signOut } from '@/app/session';
import { t as shell } from '@/app/strings';
import { setTheme, theme } from '@/app/theme';
import { type Command, useAllCommands } from '@/commands/registry';
import { useMe } from '@/data/me';
import { projectMembersQuery, projectsQuery } from '@/data/projects';
import type { Recent } from '@/items/selection';
import { address } from '@/lib/address';
import { readLocal } from '@/lib/local';
import { plain, projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { Avatar } from '@/ui/Avatar';
import { Dialog } from '@/ui/Dialog';
import { TypeGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Listbox, matching, type Option } from '@/ui/Listbox';
import { iconOf } from './icons';
import { places } from './places';
import { t } from './strings';
import { SYNONYMS } from './synonyms';

/** How long typing rests before the service is asked. */
const REST = 120;
const MOST = 8;

type Choice = Option & { run: () => void };

/** Commands, items, projects and people, from memory first; what the service finds is appended below. */
export default function Palette({ query: initial, onClose }: { query: string; onClose: () => void }) {
  const [query, setQuery] = useState(initial);
  const known = useKnown(query);
  const found = useFound(query, known);
  const options = [...known, ...found];
  const choose = (option: Option) => {
    onClose();
    // The palette gives the focus back first.
    setTimeout(() => (option as Choice).run());
  };
  return (
    <Dialog open bare wide onClose={onClose} title={t('title')}>
      <Listbox
        large
        label={t('title')}
        placeholder={t('placeholder')}
        options={options}
        query={query}
        onQuery={setQuery}
        onChoose={choose}
        empty={t('nothing')}
      />
    </Dialog>
  );
}

/** What memory answers; `>` asks for commands alone, `#` for items, `@` for people. */
function useKnown(query: string): Choice[] {
  const slug = useCurrentSlug() ?? '';
  const { project } = useParams({ strict: false });
  const open = useOpeners(slug);
  const { data: projects } = useQuery({ ...projectsQuery(slug), enabled: slug !== '' });
  const commands = useDoable(slug, projects);
  const { data: members } = useQuery({
    ...projectMembersQuery(slug, project ?? ''),
    enabled: project !== undefined,
  });
  const sigil = /^[>#@]/.exec(query)?.[0];
  const text = sigil ? query.slice(1).trim() : query.trim();
  const wants = (kind: string) => !sigil || sigil === kind;
  const cards = project ? graphOf(slug, project).cards() : [];
  const doable = wants('>') ? commands : [];
  const items = wants('#') ? itemChoices(cards, text, open.item) : [];
  const living = (projects ?? []).filter(({ archived }) => !archived);
  const boards = wants('') ? living.map((p) => open.project(p.key, p.name)) : [];
  const people = wants('@') ? (members ?? []).map((m) => open.person(m.userId, m.displayName)) : [];
  if (!text && !sigil) return [...recentChoices(slug, open.item), ...doable];
  const searching = text ? [open.search(text)] : [];
  const named = byGroup(matching([...doable, ...boards, ...people], text) as Choice[]);
  return [...items.slice(0, MOST), ...named.slice(0, MOST * 2), ...(sigil ? [] : searching)];
}

/** Everything that can be done: on this page, and on others, which are opened for it. */
function useDoable(slug: string, projects: readonly Project[] | undefined): Choice[] {
  const navigate = useNavigate();
  const { project: open } = useParams({ strict: false });
  const last = useLastProject(slug);
  const there = projects?.find(({ key }) => key === (open ?? last));
  const project = there ?? (projects?.length === 1 ? projects[0] : undefined);
  const organization = useAccess(slug);
  const access = useItemAccess(slug, project?.key);
  const commands = useAllCommands();
  const me = useMe();
  const others = places({ me, slug, organization, project: project && { ...project, access } });
  const icons = new Map(others.map(({ id, icon }) => [id, icon]));
  const here = commands
    .filter((command) => !command.hidden)
    .map((command) => commandChoice(command, icons.get(command.id) ?? iconOf(command)));
  const known = new Set(here.map(({ id }) => id));
  const elsewhere = others
    .map(({ id, label, detail, icon, refusal, to, makes, command }) => ({
      id: `command.${id}`,
      label,
      words: `${detail ?? ''} ${SYNONYMS[id] ?? ''}`,
      detail,
      refusal,
      glyph: <Icon of={icon} />,
      group: shell(makes ? 'groupGeneral' : 'groupGo'),
      run: () => void navigate({ ...address(to), ...(command && { state: { command } }) }),
    }))
    .filter(({ id }) => !known.has(id));
  const all = [...here, ...elsewhere, ...general()];
  return ORDER.flatMap((group) => all.filter((choice) => choice.group === shell(group)));
}

/** What concerns the page first. */
const ORDER = ['groupItem', 'groupView', 'groupGeneral', 'groupGo'] as const;
const GROUP_NAMES = { item: 'groupItem', view: 'groupView', general: 'groupGeneral', go: 'groupGo' } as const;

/** What is neither on a page nor of one. */
function general(): Choice[] {
  const choice = (id: string, label: string, icon: LucideIcon, run: () => void): Choice => ({
    id: `command.${id}`,
    label,
    words: SYNONYMS[id],
    glyph: <Icon of={icon} />,
    group: shell('groupGeneral'),
    run,
  });
  return [
    ...THEMES.map((one) => ({
      ...choice(`theme.${one.theme}`, t('theme', { name: shell(one.label) }), one.icon, () =>
        setTheme(one.theme),
      ),
      checked: theme() === one.theme || undefined,
    })),
    choice('reference', shell('reference'), BookOpen, () => location.assign('/docs')),
    choice('sign-out', shell('signOut'), LogOut, () => void signOut()),
  ];
}

/** The same, with what belongs together in one place: where its first stands. */
function byGroup(choices: readonly Choice[]): Choice[] {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return groups.flatMap((group) => choices.filter((choice) => choice.group === group));
}

function useOpeners(slug: string) {
  const navigate = useNavigate();
  return useMemo(
    () => ({
      item: (key: string, title: string, type: Card['type'], group: string): Choice => ({
        id: `item.${key}`,
        label: plain(title),
        words: key,
        glyph: <TypeGlyph type={type} />,
        detail: key,
        group,
        run: () =>
          void navigate({
            to: '/o/$slug/p/$project/items/$item',
            params: { slug, project: projectOf(key), item: key },
          }),
      }),
      project: (key: string, name: string): Choice => ({
        id: `project.${key}`,
        label: plain(name),
        words: key,
        detail: key,
        glyph: <Icon of={SquareKanban} />,
        group: t('projects'),
        run: () => void navigate({ to: '/o/$slug/p/$project/board', params: { slug, project: key } }),
      }),
      person: (id: string, name: string, picture?: string): Choice => ({
        id: `person.${id}`,
        label: plain(name),
        glyph: <Avatar name={name} picture={picture} size={20} decorative />,
        group: t('people'),
        run: () => void navigate({ to: '/o/$slug/search', params: { slug }, search: { q: name } }),
      }),
      search: (q: string): Choice => ({
        id: 'search',
        label: t('searchFor', { query: q }),
        glyph: <Icon of={Search} />,
        run: () => void navigate({ to: '/o/$slug/search', params: { slug }, search: { q } }),
      }),
      result: (result: SearchResult): Choice => resultChoice(result, (href) => void navigate({ href }), slug),
    }),
    [navigate, slug],
  );
}

function commandChoice({ id, title, group, keys, refusal, run }: Command, icon: LucideIcon): Choice {
  return {
    id: `command.${id}`,
    label: title,
    words: SYNONYMS[id],
    glyph: <Icon of={icon} />,
    keys,
    refusal,
    run,
    group: shell(GROUP_NAMES[group]),
  };
}

function recentChoices(slug: string, item: ReturnType<typeof useOpeners>['item']): Choice[] {
  const recent = readLocal<Recent[]>('recent', []).filter((entry) => entry.slug === slug);
  return recent.slice(0, 5).map(({ key, title, type }) => item(key, title, type, t('recent')));
}

/** Items by key, number or words of the title; exact keys first. */
function itemChoices(
  cards: readonly Card[],
  text: string,
  item: ReturnType<typeof useOpeners>['item'],
): Choice[] {
  if (!text) return cards.slice(0, MOST).map((card) => item(card.key, card.title, card.type, t('items')));
  const lower = text.toLowerCase();
  const words = lower.split(/\s+/);
  const exact: Card[] = [];
  const others: Card[] = [];
  for (const card of cards) {
    const key = card.key.toLowerCase();
    if (key === lower || key.endsWith(`-${lower}`)) exact.push(card);
    else if (
      others.length < MOST &&
      words.every((word) => card.title.toLowerCase().includes(word) || key.includes(word))
    )
      others.push(card);
  }
  return [...exact, ...others].map((card) => item(card.key, card.title, card.type, t('items')));
}

/** What the service finds, once typing rests; what is known already is left out, so that nothing moves. */
function useFound(query: string, known: Choice[]): Choice[] {
  const slug = useCurrentSlug() ?? '';
  const open = useOpeners(slug);
  const [rested, setRested] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => setRested(query), REST);
    return () => clearTimeout(timer);
  }, [query]);
  const q = rested.replace(/^[#@]/, '').trim();
  const asks = q.length > 1 && !rested.startsWith('>') && rested === query;
  const { data: answer } = useQuery({
    queryKey: ['palette', slug, q],
    queryFn: ({ signal }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/search', {
          params: { path: { slug }, query: { q, limit: MOST } },
          signal,
        }),
      ),
    enabled: asks,
    staleTime: 60_000,
  });
  if (!asks || !answer) return [];
  const shown = new Set(known.map((choice) => choice.id));
  return answer.results.map(open.result).filter((choice) => !shown.has(choice.id));
}

function resultChoice(result: SearchResult, go: (href: string) => void, slug: string): Choice {
  const base = `/o/${slug}/p/${result.project}`;
  const [id, href, glyph] = ((): [string, string, React.ReactNode] => {
    if (result.type === 'item')
      return [
        `item.${result.key}`,
        `${base}/items/${result.key}`,
        <TypeGlyph key="g" type={(result.itemType ?? 'task') as Card['type']} />,
      ];
    if (result.type === 'comment')
      return [
        `comment.${result.id}`,
        `${base}/items/${result.item}#${result.id}`,
        <Icon key="g" of={MessageSquare} />,
      ];
    if (result.type === 'page')
      return [`page.${result.id}`, `${base}/wiki/${result.path}`, <Icon key="g" of={BookText} />];
    if (result.type === 'project')
      return [
        `project.${result.key}`,
        `/o/${slug}/p/${result.key}/board`,
        <Icon key="g" of={SquareKanban} />,
      ];
    return [
      `person.${result.id}`,
      `/o/${slug}/search?q=${encodeURIComponent(result.title)}`,
      <Icon key="g" of={UserRound} />,
    ];
  })();
  const detail = result.key ?? result.item ?? result.path ?? undefined;
  return { id, label: plain(result.title), glyph, detail, group: t('found'), run: () => go(href) };
}
