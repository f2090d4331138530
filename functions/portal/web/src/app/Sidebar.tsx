import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import {
  BookText,
  Bot,
  ChevronsUpDown,
  CircleHelp,
  House,
  Inbox,
  Keyboard,
  LayoutList,
  LogOut,
  type LucideIcon,
  PanelLeft,
  Plus,
  Radio,
  Search,
  Settings,
  Star,
  Trash2,
  UserRound,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Organization, Project } from '@/api/types';
import { inboxCountsQuery } from '@/data/inbox';
import { useMe, useOrganization } from '@/data/me';
import { deletedOrganizationsQuery } from '@/data/organizations';
import { projectsQuery } from '@/data/projects';
import { badgesOf } from '@/lib/badges';
import { cx } from '@/lib/class-names';
import { useLocal } from '@/lib/local';
import { lazyPart } from '@/lib/parts';
import { byName, plain } from '@/lib/text';
import { useConnection } from '@/store/hooks';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { PROJECT_AREAS, THEMES } from './areas';
import { useFolded } from './folded';
import { openHelp, openPalette } from './overlays';
import { hasRoute } from './router-paths';
import styles from './Sidebar.module.css';
import { signOut } from './session';
import { t } from './strings';
import { setTheme, theme } from './theme';

// Loaded after the first screen: what is kept at hand is never what is waited for.
const Favourites = lazyPart(() => import('./Favourites'));

/** Keeps the place of what is loaded later, so that nothing below it moves. */
const FavouritesToCome = () => (
  <div className={cx(styles.heading, styles.headed)}>
    <span className={styles.linkLabel}>{t('favourites')}</span>
  </div>
);

/** The organization in the address, or the last one. */
export function useCurrentSlug(): string | undefined {
  const { slug } = useParams({ strict: false });
  const [last] = useLocal<string | null>('organization', null);
  const organizations = useMe().organizations;
  const known = organizations.some((organization) => organization.slug === last) ? last : undefined;
  return slug ?? known ?? organizations[0]?.slug;
}

/** The navigation at the side. `[` folds it. */
export function Sidebar() {
  const slug = useCurrentSlug();
  const [folded, setFolded] = useFolded();
  const organization = useOrganization(slug ?? '');
  return (
    <nav className={cx(styles.sidebar, folded && styles.folded)} aria-label={t('navigation')}>
      <div className={styles.top}>
        <OrganizationSwitcher current={organization} />
        {!folded && (
          <IconButton icon={Search} size="small" label={t('palette')} keys="mod+k" onClick={openPalette} />
        )}
      </div>
      {slug && organization && <Areas slug={slug} organization={organization} />}
      <div className={styles.bottom}>
        <ConnectionDot />
        <HelpMenu />
        <AccountMenu />
        <IconButton
          icon={PanelLeft}
          size="small"
          label={folded ? t('unfold') : t('fold')}
          keys="["
          onClick={() => setFolded(!folded)}
          aria-pressed={folded}
        />
      </div>
    </nav>
  );
}

function Areas({ slug, organization }: { slug: string; organization: Organization }) {
  const params = { slug };
  return (
    <div className={styles.areas}>
      <NavLink to="/o/$slug" params={params} icon={House} label={t('home')} exact />
      <InboxLink />
      <NavLink to="/o/$slug/search" params={params} icon={Search} label={t('search')} />
      <NavLink to="/o/$slug/items" params={params} icon={LayoutList} label={t('items')} />
      {hasRoute('/o/$slug/activity') && (
        <NavLink to={'/o/$slug/activity' as never} params={params} icon={Radio} label={t('activity')} />
      )}
      {organization.canOperateFactory && hasRoute('/o/$slug/factory') && (
        <NavLink
          to={'/o/$slug/factory' as never}
          params={params}
          icon={Bot}
          label={t('factory')}
          tone="agent"
        />
      )}
      {hasRoute('/o/$slug/settings') && (
        <NavLink to={'/o/$slug/settings' as never} params={params} icon={Settings} label={t('settings')} />
      )}
      <Suspense fallback={location.pathname.startsWith(`/o/${slug}`) && <FavouritesToCome />}>
        <Favourites slug={slug} />
      </Suspense>
      <Projects slug={slug} />
    </div>
  );
}

/** The inbox is of all organizations, and says how much in it is unread. */
function InboxLink() {
  const { data } = useQuery(inboxCountsQuery);
  return <NavLink to={'/inbox' as never} params={{}} icon={Inbox} label={t('inbox')} count={data?.unread} />;
}

function Projects({ slug }: { slug: string }) {
  const { data } = useQuery(projectsQuery(slug));
  const [stars] = useLocal<string[]>('stars', []);
  const { project: open } = useParams({ strict: false });
  const live = (data ?? []).filter((project) => !project.archived || project.key === open);
  const starred = (project: Project) => stars.includes(`${slug}/${project.key}`);
  const badges = badgesOf((data ?? []).map(({ key }) => key));
  const sorted = [...live].sort((a, b) => Number(starred(b)) - Number(starred(a)) || byName(a.name, b.name));
  return (
    <>
      <div className={styles.heading}>
        <Link to="/o/$slug/p" params={{ slug }} className={styles.headingLink}>
          {t('projects')}
        </Link>
      </div>
      <ul>
        {sorted.map((project) => (
          <li key={project.key}>
            <ProjectLinks
              slug={slug}
              project={project}
              open={project.key === open}
              starred={starred(project)}
              badge={badges.get(project.key)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ProjectLinksProps {
  slug: string;
  project: Project;
  open: boolean;
  starred: boolean;
  badge: string | undefined;
}

function ProjectLinks({ slug, project, open, starred, badge }: ProjectLinksProps) {
  const params = { slug, project: project.key };
  return (
    <>
      <Link
        to="/o/$slug/p/$project/board"
        params={params}
        className={cx(styles.project, open && styles.open)}
        data-tip={plain(project.name)}
      >
        <span className={styles.key} aria-hidden>
          {badge}
        </span>
        <span className="truncate">{plain(project.name)}</span>
        {starred && <Icon of={Star} size={12} className={styles.star} />}
      </Link>
      {open && (
        <ul className={styles.areasOfProject}>
          {PROJECT_AREAS.filter(({ path }) => hasRoute(`/o/$slug/p/$project/${path}`)).map(
            ({ path, icon, label }) => (
              <li key={path}>
                <NavLink
                  to={`/o/$slug/p/$project/${path}` as never}
                  params={params}
                  icon={icon}
                  label={t(label)}
                />
              </li>
            ),
          )}
        </ul>
      )}
    </>
  );
}

interface NavLinkProps {
  to: LinkProps['to'];
  params: Record<string, string>;
  icon: LucideIcon;
  label: string;
  exact?: boolean;
  tone?: 'agent';
  /** How much in it is unread. */
  count?: number | undefined;
}

function NavLink({ to, params, icon, label, exact, tone, count }: NavLinkProps) {
  return (
    <Link
      to={to as never}
      params={params as never}
      activeOptions={{ exact: exact ?? false, includeSearch: false }}
      activeProps={{ className: cx(styles.link, styles.active), 'aria-current': 'page' }}
      inactiveProps={{ className: styles.link }}
      aria-label={count ? t('inboxUnread', { n: count }) : label}
    >
      <Icon of={icon} className={tone === 'agent' ? styles.agent : undefined} />
      <span className={styles.linkLabel}>{label}</span>
      {count ? ' ' : null}
      {count ? <span className={styles.unread}>{count > 99 ? '99+' : count}</span> : null}
    </Link>
  );
}

function OrganizationSwitcher({ current }: { current: Organization | undefined }) {
  const { organizations } = useMe();
  const navigate = useNavigate();
  // Asked for when the menu opens, or is about to.
  const [near, setNear] = useState(false);
  const { data: deleted } = useQuery({ ...deletedOrganizationsQuery, enabled: near });
  const entries = (): MenuEntries => [
    { heading: t('yourOrganizations') },
    ...organizations.map((organization) => ({
      label: plain(organization.name),
      glyph: <Emblem name={organization.name} />,
      checked: organization.slug === current?.slug,
      run: () => void navigate({ to: '/o/$slug', params: { slug: organization.slug } }),
    })),
    '-',
    { label: t('newOrganization'), icon: Plus, run: () => void navigate({ to: '/new-organization' }) },
    ...(deleted?.length
      ? [
          {
            label: t('deletedOrganizations'),
            icon: Trash2,
            run: () => void navigate({ to: '/settings/organizations' as never }),
          },
        ]
      : []),
  ];
  return (
    <Menu
      entries={entries}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          onClick={(event) => {
            setNear(true);
            props.onClick?.(event);
          }}
          onFocus={() => setNear(true)}
          className={styles.switcher}
          data-command="go.organization"
        >
          <Emblem name={current?.name ?? '?'} />
          <span className="visually-hidden">{t('switch')}: </span>
          <span className={cx('truncate', styles.linkLabel)}>{plain(current?.name ?? '')}</span>
          <Icon of={ChevronsUpDown} size={14} className={styles.linkLabel} />
        </button>
      )}
    />
  );
}

/** The square letter of an organization. */
export function Emblem({ name }: { name: string }) {
  return (
    <span className={styles.emblem} aria-hidden>
      {[...plain(name)][0]?.toUpperCase() ?? '?'}
    </span>
  );
}

function ConnectionDot() {
  const state = useConnection();
  const projectOpen = useRouterState({ select: (router) => router.location.pathname.includes('/p/') });
  if (!projectOpen && state !== 'offline') return null;
  return (
    <span role="img" className={cx(styles.dot, styles[state])} aria-label={t(state)} data-tip={t(state)} />
  );
}

function HelpMenu() {
  const entries = (): MenuEntries => [
    { label: t('shortcuts'), icon: Keyboard, keys: '?', run: openHelp },
    { label: t('reference'), icon: BookText, href: '/docs' },
  ];
  return (
    <Menu
      entries={entries}
      trigger={({ ref, ...props }) => (
        <IconButton {...props} ref={ref} icon={CircleHelp} size="small" label={t('help')} />
      )}
    />
  );
}

function AccountMenu() {
  const me = useMe();
  const navigate = useNavigate();
  return (
    <Menu
      entries={() => [
        { heading: me.email ?? me.displayName },
        {
          label: t('accountSettings'),
          icon: UserRound,
          run: () => void navigate({ to: '/settings/profile' as never }),
        },
        '-',
        { heading: t('theme') },
        ...THEMES.map((choice) => ({
          label: t(choice.label),
          icon: choice.icon,
          checked: theme() === choice.theme,
          run: () => setTheme(choice.theme),
        })),
        '-',
        { label: t('signOut'), icon: LogOut, run: () => void signOut() },
      ]}
      trigger={(props) => (
        <button type="button" {...props} className={styles.account} data-tip={t('account')}>
          <Avatar name={me.displayName} picture={me.avatarKey} size={24} decorative />
          <span className="visually-hidden">{t('account')}: </span>
          <span className={cx('truncate', styles.linkLabel)}>{plain(me.displayName)}</span>
        </button>
      )}
    />
  );
}
