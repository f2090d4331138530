import { useQuery } from '@tanstack/react-query';
import { GitCommitHorizontal } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Run, RunChanges } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { useSearchParams } from '@/app/params';
import { runChangesQuery } from '@/data/factory';
import { useLocal } from '@/lib/local';
import { useWide } from '@/lib/media';
import { plain } from '@/lib/text';
import { isLive } from '@/runs/live';
import { Button } from '@/ui/Button';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { Counts } from './Counts';
import styles from './changes.module.css';
import { FileChange } from './FileChange';
import { useNotes } from './notes';
import { filesOf, openAtFirst } from './patch';
import { ReviewBar } from './ReviewBar';
import { t } from './strings';

/** What a run changed: its commits and files, and remarks on lines, which become one comment. */
export default function ChangesView({ run }: { run: Run }) {
  const { data: changes, error, refetch } = useQuery(runChangesQuery(run));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!changes) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={8} />
      </div>
    );
  }
  if (changes.fileCount === 0 && changes.commitCount === 0) {
    return isLive(run) ? (
      <EmptyState icon={GitCommitHorizontal} title={t('later')} />
    ) : (
      <EmptyState icon={GitCommitHorizontal} title={t('none')}>
        {t('noneHint')}
      </EmptyState>
    );
  }
  return <Changes run={run} changes={changes} />;
}

function Changes({ run, changes }: { run: Run; changes: RunChanges }) {
  const { write, frozen } = useItemAccess(run.organization, run.project);
  const files = useMemo(() => filesOf(changes.patch ?? '', changes.files), [changes]);
  const [open, setOpen] = useState(() => openAtFirst(files));
  useEffect(() => setOpen(openAtFirst(files)), [files]);
  const [layout, setLayout] = useLocal<'unified' | 'split'>('diff-layout', 'unified');
  const wide = useWide();
  const review = useNotes(run.id);
  const list = useRef<HTMLDivElement>(null);
  const writable = write && frozen === undefined;
  const turn = (at: number, is: boolean) =>
    setOpen((old) => old.map((was, index) => (index === at ? is : was)));
  const show = (at: number) => {
    turn(at, true);
    const section = list.current?.children[at];
    section?.scrollIntoView({ block: 'start' });
    section?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  };
  const [{ file: wanted }] = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the address leads, once.
  useEffect(() => {
    const at = files.findIndex(({ file }) => file.path === wanted);
    if (at >= 0) show(at);
  }, [wanted, files]);
  return (
    <div className={styles.changes}>
      <div className={styles.bar}>
        <Summary changes={changes} />
        <span className={styles.space} />
        {wide && (
          <fieldset className={styles.layout}>
            <legend className="visually-hidden">{t('layout')}</legend>
            {(['unified', 'split'] as const).map((one) => (
              <Button
                key={one}
                size="small"
                kind={layout === one ? 'secondary' : 'ghost'}
                aria-pressed={layout === one}
                onClick={() => setLayout(one)}
              >
                {t(one)}
              </Button>
            ))}
          </fieldset>
        )}
        <Button size="small" kind="ghost" onClick={() => setOpen(files.map(() => !open.some(Boolean)))}>
          {t(open.some(Boolean) ? 'closeAll' : 'openAll')}
        </Button>
      </div>
      {changes.truncated && <Banner kind="info">{t('truncated')}</Banner>}
      <Commits changes={changes} />
      {files.length > 1 && (
        <nav aria-label={t('filesLabel')} className={styles.toc}>
          <ul>
            {files.map(({ file }, at) => (
              <li key={file.path}>
                <button type="button" className={styles.tocEntry} onClick={() => show(at)}>
                  <span className="truncate">{plain(file.path)}</span>
                  <Counts added={file.additions} removed={file.deletions} />
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {writable && <p className={styles.hint}>{t('hint')}</p>}
      <div ref={list} className={styles.files}>
        {files.map((file, at) => (
          <FileChange
            key={file.file.path}
            patch={file}
            open={open[at] ?? false}
            split={wide && layout === 'split'}
            onOpen={(is) => turn(at, is)}
            notes={review.notes}
            review={writable ? review : undefined}
          />
        ))}
      </div>
      {changes.fileCount > files.length && (
        <p className={styles.hint}>{t('moreFiles', { n: changes.fileCount - files.length })}</p>
      )}
      {review.notes.length > 0 && writable && (
        <ReviewBar run={run} review={review} files={files.map(({ file }) => file.path)} />
      )}
    </div>
  );
}

function Summary({ changes }: { changes: RunChanges }) {
  return (
    <p className={styles.summary}>
      <strong>{t('files', { n: changes.fileCount })}</strong>{' '}
      <Counts added={changes.additions} removed={changes.deletions} />
    </p>
  );
}

function Commits({ changes }: { changes: RunChanges }) {
  if (changes.commits.length === 0) return null;
  const more = changes.commitCount - changes.commits.length;
  return (
    <details className={styles.commits}>
      <summary>{t('commits', { n: changes.commitCount })}</summary>
      <ol>
        {changes.commits.map(({ hash, title }) => (
          <li key={hash}>
            <code>{hash.slice(0, 9)}</code> {plain(title)}
          </li>
        ))}
      </ol>
      {more > 0 && <p className="meta">{t('moreCommits', { n: more })}</p>}
    </details>
  );
}
