import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { useAccess } from '@/app/access';
import { useSearchParams } from '@/app/params';
import { refresh } from '@/data/act';
import { diffQuery, type PageVersion, versionsQuery } from '@/data/wiki';
import { useLocal } from '@/lib/local';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import { Diff } from '@/ui/diff/Diff';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import type { OfPage } from './page';
import { t } from './strings';
import styles from './wiki.module.css';

/** All versions of a page; any two compared; any one restored. */
export function Versions({ slug, project, page }: OfPage) {
  const [search, change] = useSearchParams();
  const { data: versions, error } = useQuery(versionsQuery(slug, project, page.path));
  const [from, to] = compared(search.diff, page.version);
  if (error) return <ProblemPanel error={error} />;
  if (!versions) {
    return (
      <div className={styles.article}>
        <Skeleton label={t('loading')} rows={8} />
      </div>
    );
  }
  return (
    <div className={styles.versions}>
      <div className={styles.compare}>
        <Compare slug={slug} project={project} page={page} from={from} to={to} />
      </div>
      <ol className={styles.versionList} aria-label={t('versions')}>
        {versions.map((version) => (
          <VersionRow
            key={version.version}
            slug={slug}
            project={project}
            page={page}
            version={version}
            from={from}
            to={to}
            choose={(nextFrom, nextTo) =>
              change({ diff: `${Math.min(nextFrom, nextTo)}..${Math.max(nextFrom, nextTo)}` })
            }
          />
        ))}
      </ol>
    </div>
  );
}

/** `3..5` as two versions; the last change when there is none. */
export function compared(text: string | undefined, last: number): [number, number] {
  const match = /^(\d+)\.\.(\d+)$/.exec(text ?? '');
  return match ? [Number(match[1]), Number(match[2])] : [Math.max(1, last - 1), last];
}

function Compare({ slug, project, page, from, to }: OfPage & { from: number; to: number }) {
  const { data: diff, error } = useQuery({
    ...diffQuery(slug, project, page.path, from, to),
    enabled: from !== to,
  });
  const [split, setSplit] = useLocal('diff.split', false);
  if (from === to) return <p className={styles.note}>{t('firstVersion')}</p>;
  if (error) return <ProblemPanel error={error} />;
  if (!diff) return <Skeleton label={t('loading')} rows={8} />;
  return (
    <>
      <div className={styles.compareHead}>
        <p>{t('comparing', { from, to })}</p>
        <Button size="small" aria-pressed={split} onClick={() => setSplit(!split)}>
          {t(split ? 'unified' : 'split')}
        </Button>
      </div>
      {diff.hunks.length === 0 ? (
        <p className={styles.note}>{t('same')}</p>
      ) : (
        <Diff hunks={diff.hunks} split={split} />
      )}
    </>
  );
}

interface VersionRowProps extends OfPage {
  version: PageVersion;
  from: number;
  to: number;
  choose: (from: number, to: number) => void;
}

function VersionRow({ slug, project, page, version, from, to, choose }: VersionRowProps) {
  const { frozen } = useAccess(slug, project);
  const [asked, ask] = useState(false);
  const number = version.version;
  const kind = version.change?.kind ?? 'written';
  const restore = async () => {
    const params = { path: { slug, key: project, path: page.path } };
    await data(
      http.POST('/api/v1/orgs/{slug}/projects/{key}/wiki/restore/{path}', {
        params,
        body: { version: page.version, restore: number },
      }),
    );
    await refresh(['wiki', slug, project]);
  };
  return (
    <li className={styles.version}>
      <span className={styles.picks}>
        <input
          type="radio"
          name="from"
          aria-label={t('compareFrom', { version: number })}
          checked={from === number}
          disabled={number >= to}
          onChange={() => choose(number, to)}
        />
        <input
          type="radio"
          name="to"
          aria-label={t('compareTo', { version: number })}
          checked={to === number}
          disabled={number <= from}
          onChange={() => choose(from, number)}
        />
      </span>
      <span className={styles.versionWords}>
        <Link to="." search={{ version: String(number) } as never} className="link">
          {t('version', { version: number })}
        </Link>
        <span className="meta">
          {t(kind in KINDS ? (`change_${kind}` as 'change_written') : 'change_written', {
            from: version.change?.version ?? '',
            path: version.change?.path ?? '',
          })}
        </span>
        <span className={styles.by}>
          <Avatar name={version.author.name} agent={version.author.agent} size={16} decorative />
          <span className="truncate">{plain(version.author.name)}</span>
          <DateTime at={version.at} className="meta" />
        </span>
      </span>
      {page.canEdit && number < page.version && (
        <Button size="small" refusal={frozen} onClick={() => ask(true)}>
          {t('restore')}
        </Button>
      )}
      {asked && (
        <Confirm
          open
          danger={false}
          onClose={() => ask(false)}
          title={t('restoreTitle', { version: number })}
          action={t('restore')}
          run={restore}
        >
          <p>{t('restoreDetail', { next: page.version + 1 })}</p>
        </Confirm>
      )}
    </li>
  );
}

const KINDS = { written: 1, restored: 1, access: 1, deleted: 1, moved: 1 };
