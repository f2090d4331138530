import { Link, useParams } from '@tanstack/react-router';
import { Ellipsis, House, Inbox, type LucideIcon, Search, SquareKanban } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { Icon } from '@/ui/Icon';
import { useLastProject } from './areas';
import { openMore } from './overlays';
import { useCurrentSlug } from './Sidebar';
import { t } from './strings';
import styles from './TabBar.module.css';

/** The navigation of a phone, at the bottom. */
export function TabBar() {
  const slug = useCurrentSlug();
  const { project } = useParams({ strict: false });
  const last = useLastProject(slug);
  const shown = project ?? last;
  if (!slug) return null;
  return (
    <nav className={styles.tabs} aria-label={t('navigation')}>
      <Tab to="/o/$slug" params={{ slug }} icon={House} label={t('home')} exact />
      <Tab to="/inbox" params={{}} icon={Inbox} label={t('inbox')} />
      {shown ? (
        <Tab
          to="/o/$slug/p/$project/board"
          params={{ slug, project: shown }}
          icon={SquareKanban}
          label={t('board')}
        />
      ) : (
        <Tab to="/o/$slug/p" params={{ slug }} icon={SquareKanban} label={t('projects')} />
      )}
      <Tab to="/o/$slug/search" params={{ slug }} icon={Search} label={t('search')} />
      <button type="button" className={styles.tab} aria-haspopup="dialog" onClick={openMore}>
        <Icon of={Ellipsis} size={20} />
        {t('more')}
      </button>
    </nav>
  );
}

interface TabProps {
  to: string;
  params: Record<string, string>;
  icon: LucideIcon;
  label: string;
  exact?: boolean;
}

function Tab({ to, params, icon, label, exact }: TabProps) {
  return (
    <Link
      to={to as never}
      params={params as never}
      activeOptions={{ exact: exact ?? false, includeSearch: false }}
      activeProps={{ className: cx(styles.tab, styles.active), 'aria-current': 'page' }}
      inactiveProps={{ className: styles.tab }}
    >
      <Icon of={icon} size={20} />
      {label}
    </Link>
  );
}
