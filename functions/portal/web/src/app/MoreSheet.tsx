import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import {
  Bot,
  Check,
  CircleHelp,
  FolderKanban,
  Inbox,
  LayoutList,
  LogOut,
  type LucideIcon,
  Plus,
  Radio,
  Search,
  Settings,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMe, useOrganization } from '@/data/me';
import { projectsQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { PROJECT_AREAS, THEMES, useLastProject } from './areas';
import Favourites from './Favourites';
import styles from './MoreSheet.module.css';
import { openPalette } from './overlays';
import { Emblem, useCurrentSlug } from './Sidebar';
import { signOut } from './session';
import { t } from './strings';
import { setTheme, useTheme } from './theme';

interface SheetProps {
  onClose: () => void;
}

/** What the sidebar holds, for a phone: the areas of the project and of the organization, the theme, the account. */
export default function MoreSheet({ onClose }: SheetProps) {
  const me = useMe();
  const slug = useCurrentSlug() ?? '';
  const organization = useOrganization(slug);
  const { project } = useParams({ strict: false });
  const last = useLastProject(slug);
  const { data: projects } = useQuery({ ...projectsQuery(slug), enabled: slug !== '' });
  const shown = projects?.find(({ key }) => key === (project ?? last));
  return (
    <Dialog open title={t('more')} onClose={onClose}>
      <div className={styles.groups}>
        <div className={styles.rows}>
          <Row icon={Search} label={t('palette')} onPress={openPalette} />
        </div>
        {shown && (
          <Group title={plain(shown.name)}>
            <ul className={styles.tiles}>
              {PROJECT_AREAS.map(({ path, icon, label }) => (
                <li key={path}>
                  <Link
                    {...address(`/o/${slug}/p/${shown.key}/${path}`)}
                    className={styles.tile}
                    onClick={onClose}
                  >
                    <Icon of={icon} size={20} />
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </Group>
        )}
        {organization && (
          <Group title={plain(organization.name)}>
            <div className={styles.rows}>
              <Row icon={Inbox} label={t('inbox')} to="/inbox" onPress={onClose} />
              <Row icon={LayoutList} label={t('items')} to={`/o/${slug}/items`} onPress={onClose} />
              <Row icon={FolderKanban} label={t('projects')} to={`/o/${slug}/p`} onPress={onClose} />
              <Row icon={Radio} label={t('activity')} to={`/o/${slug}/activity`} onPress={onClose} />
              {organization.canOperateFactory && (
                <Row icon={Bot} label={t('factory')} to={`/o/${slug}/factory`} onPress={onClose} />
              )}
              <Row
                icon={Settings}
                label={t('organizationSettings')}
                to={`/o/${slug}/settings`}
                onPress={onClose}
              />
            </div>
          </Group>
        )}
        {organization && <Favourites slug={slug} onGo={onClose} />}
        <Group title={t('yourOrganizations')}>
          <div className={styles.rows}>
            {me.organizations.map((one) => (
              <Link key={one.slug} {...address(`/o/${one.slug}`)} className={styles.row} onClick={onClose}>
                <Emblem name={one.name} />
                <span className="truncate">{plain(one.name)}</span>
                {one.slug === slug && <Icon of={Check} className={styles.end} />}
              </Link>
            ))}
            <Row icon={Plus} label={t('newOrganization')} to="/new-organization" onPress={onClose} />
          </div>
        </Group>
        <Group title={t('theme')}>
          <ThemeChoice />
        </Group>
        <Group title={t('account')}>
          <div className={styles.rows}>
            <div className={styles.row}>
              <Avatar name={me.displayName} picture={me.avatarKey} size={24} decorative />
              <span className="truncate">{plain(me.displayName)}</span>
              <span className={cx('truncate', styles.end)}>{me.email}</span>
            </div>
            <Row icon={UserRound} label={t('accountSettings')} to="/settings/profile" onPress={onClose} />
            <Row icon={CircleHelp} label={t('reference')} href="/docs" />
            <Row icon={LogOut} label={t('signOut')} onPress={() => void signOut()} />
          </div>
        </Group>
      </div>
    </Dialog>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  );
}

interface RowProps {
  icon: LucideIcon;
  label: string;
  /** A page of the app. */
  to?: string;
  /** A page beside it. */
  href?: string;
  onPress?: () => void;
}

function Row({ icon, label, to, href, onPress }: RowProps) {
  const inside = (
    <>
      <Icon of={icon} />
      {label}
    </>
  );
  if (to)
    return (
      <Link {...address(to)} className={styles.row} onClick={onPress}>
        {inside}
      </Link>
    );
  if (href)
    return (
      <a href={href} className={styles.row}>
        {inside}
      </a>
    );
  return (
    <button type="button" className={styles.row} onClick={onPress}>
      {inside}
    </button>
  );
}

function ThemeChoice() {
  const theme = useTheme();
  return (
    <div className={styles.themes}>
      {THEMES.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          className={styles.theme}
          aria-pressed={theme === choice.theme}
          onClick={() => setTheme(choice.theme)}
        >
          <Icon of={choice.icon} />
          {t(choice.label)}
        </button>
      ))}
    </div>
  );
}
