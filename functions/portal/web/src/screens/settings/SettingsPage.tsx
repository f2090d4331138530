import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Page } from '@/app/Page';
import { address } from '@/lib/address';
import { useInSight } from '@/ui/in-sight';
import { HeadingAbove } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner } from '@/ui/states';
import styles from './settings.module.css';
import { t } from './strings';

interface SettingsSection {
  id: string;
  label: string;
}

interface SettingsPageProps {
  /** Whose settings: the heading over the sections. */
  title: string;
  /** Address of the settings, without the section. */
  root: string;
  sections: readonly SettingsSection[];
  current: SettingsSection;
  frozen?: string | undefined;
  children: ReactNode;
}

/** The frame of settings: sections at the side, or on top of a narrow window, and one of them. */
export function SettingsPage({ title, root, sections, current, frozen, children }: SettingsPageProps) {
  const nav = useInSight<HTMLElement>(current.id);
  return (
    <Page title={`${current.label} · ${title}`} bare fill>
      {frozen && <Banner kind="locked">{frozen}</Banner>}
      <div className={styles.frame}>
        <nav ref={nav} className={styles.nav} aria-label={title}>
          <p className={styles.navTitle}>{title}</p>
          <ul>
            {sections.map((section) => (
              <li key={section.id}>
                <Link
                  {...address(`${root}/${section.id}`)}
                  className={styles.link}
                  aria-current={section.id === current.id ? 'page' : undefined}
                >
                  {section.label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.content}>
          <div className={styles.column}>
            <p className={styles.whose} aria-hidden>
              {title}
            </p>
            <p className={styles.heading} aria-hidden data-heading>
              {current.label}
            </p>
            <HeadingAbove value={current.label}>
              <Suspense fallback={<Skeleton label={t('loading')} rows={6} />}>{children}</Suspense>
            </HeadingAbove>
          </div>
        </div>
      </div>
    </Page>
  );
}
