import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { Bookmark, Star, StarOff } from 'lucide-react';
import { useCommands } from '@/commands/registry';
import { viewsQuery } from '@/data/views';
import { addressOf } from '@/filter/listed';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { IconButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { lasting, useFavourites } from './favourites';
import styles from './Sidebar.module.css';
import { t } from './strings';

/** The pages that somebody keeps in the sidebar, and the views of the organization. */
export default function Favourites({ slug, onGo }: { slug: string; onGo?: () => void }) {
  const [favourites, toggle] = useFavourites(slug);
  const { data: views } = useQuery(viewsQuery(slug, undefined));
  const here = lasting(useLocation({ select: ({ href }) => href }));
  const kept = favourites.some(({ href }) => href === here);
  const belongs = here === `/o/${slug}` || here.startsWith(`/o/${slug}/`);
  const keep = () =>
    toggle({ slug, href: here, label: document.title.replace(/ · svc$/, '') || t('favourites') });
  const title = t(kept ? 'removeFavourite' : 'addFavourite');
  useCommands(belongs ? [{ id: 'page.favourite', title, group: 'view', keys: 'shift+f', run: keep }] : []);
  const links = [
    ...(views ?? []).map((view) => ({
      href: `/o/${slug}/items?${new URLSearchParams(
        Object.entries(addressOf(view)).filter((pair): pair is [string, string] => pair[1] !== undefined),
      )}`,
      label: plain(view.name),
      icon: Bookmark,
    })),
    ...favourites.map((favourite) => ({ ...favourite, icon: Star })),
  ];
  if (!belongs && links.length === 0) return null;
  return (
    <>
      <div className={cx(styles.heading, styles.headed)}>
        <span className={styles.linkLabel}>{t('favourites')}</span>
        {belongs && (
          <IconButton
            icon={kept ? StarOff : Star}
            size="small"
            label={title}
            keys="shift+f"
            aria-pressed={kept}
            onClick={keep}
          />
        )}
      </div>
      {links.length > 0 && (
        <ul>
          {links.map(({ href, label, icon }) => (
            <li key={href}>
              <Link
                {...address(href)}
                className={cx(styles.link, here === href && styles.active)}
                activeProps={{ 'aria-current': here === href ? 'page' : undefined }}
                data-tip={label}
                aria-label={label}
                {...(onGo ? { onClick: onGo } : {})}
              >
                <Icon of={icon} />
                <span className={cx('truncate', styles.linkLabel)}>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
