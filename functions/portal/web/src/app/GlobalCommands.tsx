import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { type Command, useAllCommands, useCommands } from '@/commands/registry';
import { lazyPart } from '@/lib/parts';
import { undo } from '@/store/undo';
import { toast } from '@/ui/toasts';
import { useAccess, useKnownAccess } from './access';
import { useLastProject } from './areas';
import { createAnywhere } from './creating';
import { useFolded } from './folded';
import { closeOverlay, openHelp, openPalette, show, useOverlay } from './overlays';
import { hasRoute } from './router-paths';
import { useCurrentSlug } from './Sidebar';
import { t } from './strings';

const Palette = lazyPart(() => import('@/screens/palette'));
const KeyHelp = lazyPart(() => import('@/screens/key-help'));
const MoreSheet = lazyPart(() => import('./MoreSheet'));
const Create = lazyPart(() => import('@/screens/create'));

/** Commands that are everywhere, and what they open. */
export function GlobalCommands() {
  useCommands([...useGoing(), ...useGeneral()]);
  const overlay = useOverlay();
  const asked = useLocation({ select: ({ state }) => state.command });
  return (
    <Suspense>
      {asked !== undefined && <Asked id={asked} />}
      {overlay?.kind === 'palette' && <Palette query={overlay.query ?? ''} onClose={closeOverlay} />}
      {overlay?.kind === 'help' && <KeyHelp onClose={closeOverlay} />}
      {overlay?.kind === 'more' && <MoreSheet onClose={closeOverlay} />}
      {overlay?.kind === 'create' && <Create key={overlay.project} {...overlay} onClose={closeOverlay} />}
    </Suspense>
  );
}

/** Gives the command that a link asks for, once the page that it leads to has it. Back and a reload do not give it again. */
function Asked({ id }: { id: string }) {
  const command = useAllCommands().find((one) => one.id === id);
  const { history } = useRouter();
  const there = command !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is given once, however often its page is drawn.
  useEffect(() => {
    if (!command) return;
    history.replace(history.location.href);
    if (command.refusal === undefined) command.run();
  }, [there]);
  return null;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Id of a command of the page that a link leads to: what the link is there for. */
    command?: string;
  }
}

function useGoing(): Command[] {
  const navigate = useNavigate();
  const slug = useCurrentSlug() ?? '';
  const { project: open } = useParams({ strict: false });
  // Elsewhere, the project that was open last is meant.
  const last = useLastProject(slug);
  const project = open ?? last;
  const { operate } = useAccess(slug);
  const go = (id: string, title: string, keys: string, to: string, there = true): Command[] =>
    there && slug && hasRoute(to)
      ? [
          {
            id: `go.${id}`,
            title,
            group: 'go',
            keys,
            run: () => void navigate({ to, params: { slug, project } } as never),
          },
        ]
      : [];
  const inProject = project !== undefined;
  return [
    ...go('home', t('home'), 'g h', '/o/$slug'),
    ...go('inbox', t('inbox'), 'g i', '/inbox'),
    ...go('projects', t('projects'), 'g p', '/o/$slug/p'),
    ...go('items', t('items'), 'g e', '/o/$slug/items'),
    ...go('board', t('board'), 'g b', '/o/$slug/p/$project/board', inProject),
    ...go('list', t('list'), 'g l', '/o/$slug/p/$project/list', inProject),
    ...go('sprints', t('sprints'), 'g s', '/o/$slug/p/$project/sprints', inProject),
    ...go('wiki', t('wiki'), 'g w', '/o/$slug/p/$project/wiki', inProject),
    ...go('factory', t('factory'), 'g f', '/o/$slug/factory', operate),
    ...go('activity', t('activity'), 'g a', '/o/$slug/activity'),
    ...go('search', t('search'), 'g /', '/o/$slug/search'),
    ...go(
      'project-settings',
      t('projectSettings'),
      'g ,',
      '/o/$slug/p/$project/settings',
      open !== undefined,
    ),
    ...go('organization-settings', t('organizationSettings'), 'g o', '/o/$slug/settings'),
    ...go('account', t('accountSettings'), 'g m', '/settings/profile'),
  ];
}

function useGeneral(): Command[] {
  const slug = useCurrentSlug();
  const { project } = useParams({ strict: false });
  const access = useKnownAccess(slug ?? '', project);
  const [folded, setFolded] = useFolded();
  const undoLast = () => {
    const label = undo();
    toast(label ? t('undone', { label }) : t('nothingToUndo'));
  };
  const create: Command[] =
    slug && access.write
      ? [
          {
            id: 'item.create',
            title: t('create'),
            group: 'item',
            keys: 'c',
            refusal: access.frozen,
            run: () => (project ? show({ kind: 'create', slug, project }) : createAnywhere(slug)),
          },
        ]
      : [];
  return [
    ...create,
    { id: 'palette', title: t('palette'), group: 'general', keys: 'mod+k', run: openPalette, hidden: true },
    { id: 'help', title: t('shortcuts'), group: 'general', keys: '?', run: openHelp },
    { id: 'undo', title: t('undo'), group: 'general', keys: 'mod+z', run: undoLast },
    {
      id: 'fold',
      title: folded ? t('unfold') : t('fold'),
      group: 'view',
      keys: '[',
      run: () => setFolded(!folded),
    },
    {
      id: 'go.organization',
      title: t('switch'),
      group: 'go',
      keys: 'o',
      run: () => document.querySelector<HTMLElement>('[data-command="go.organization"]')?.click(),
    },
  ];
}
