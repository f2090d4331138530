import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { isProblem } from '@/api/problem';
import { startKeys } from '@/commands/keys';
import { meQuery } from '@/data/me';
import { usePicking } from '@/items/pick';
import { cx } from '@/lib/class-names';
import { whenIdle } from '@/lib/idle';
import { writeLocal } from '@/lib/local';
import { insist, lazyPart } from '@/lib/parts';
import { watchChanges } from '@/store/changed';
import { useConnection, useOrganizationStream, usePendingWrites } from '@/store/hooks';
import { resumeStreams } from '@/store/organization';
import { queries } from '@/store/queries';
import { undo, undoEvents } from '@/store/undo';
import { Banner } from '@/ui/states';
import { Toasts } from '@/ui/Toasts';
import { dismiss, toast } from '@/ui/toasts';
import { useFolded } from './folded';
import { GlobalCommands } from './GlobalCommands';
import { tellMissingParts } from './missing-parts';
import styles from './Shell.module.css';
import { Sidebar } from './Sidebar';
import { StoreReports } from './StoreReports';
import { begin, sessionEvents } from './session';
import { t } from './strings';
import { TabBar } from './TabBar';

const Tooltip = lazyPart(() => import('@/ui/Tooltip').then(({ Tooltip: only }) => ({ default: only })));
const SessionDialog = lazyPart(() => import('./SessionDialog'));
const Pickers = lazyPart(() => import('@/items/Pickers'));

/** The frame of everything inside: sidebar, content, palette, toasts. */
export function Shell() {
  const [folded] = useFolded();
  useVerifiedSession();
  useEffect(startKeys, []);
  useEffect(warmUpLater, []);
  useEffect(watchChanges, []);
  useEffect(tellMissingParts, []);
  const { slug } = useParams({ strict: false });
  useOrganizationStream(slug);
  return (
    <div className={cx(styles.shell, folded && styles.folded)}>
      <a className={styles.skip} href="#content">
        {t('skip')}
      </a>
      <Sidebar />
      <main id="content" className={styles.main} tabIndex={-1}>
        <OfflineBar />
        <div className={styles.content}>
          <Outlet />
        </div>
      </main>
      <TabBar />
      <GlobalCommands />
      <StoreReports />
      <PickerAtHand />
      <SessionEnd />
      <Toasts />
      <Tips />
      <RememberPlace />
      <OfferUndo />
    </div>
  );
}

/**
 * Asks the service who is here, beside what is painted already from what this browser keeps, which is old. Where
 * nothing was kept, it was asked a moment ago.
 */
function useVerifiedSession(): void {
  const { data, isFetchedAfterMount } = useQuery(meQuery);
  useEffect(() => {
    if (data && isFetchedAfterMount) void begin(data);
  }, [data, isFetchedAfterMount]);
}

function OfflineBar() {
  const connection = useConnection();
  const waiting = usePendingWrites();
  if (connection !== 'offline' && navigator.onLine) return null;
  return <Banner kind="offline">{t('offlineBar', { n: waiting })}</Banner>;
}

/** What controls say to who points at them: no board waits for it. */
function Tips() {
  const [quiet, setQuiet] = useState(false);
  useEffect(() => void whenIdle().then(() => setQuiet(true)), []);
  return (
    quiet && (
      <Suspense>
        <Tooltip />
      </Suspense>
    )
  );
}

function PickerAtHand() {
  const picking = usePicking();
  if (!picking) return null;
  return (
    <Suspense>
      <Pickers {...picking} />
    </Suspense>
  );
}

function SessionEnd() {
  const [ended, setEnded] = useState(false);
  useEffect(() => sessionEvents.on('ended', () => setEnded(true)), []);
  useEffect(
    () =>
      sessionEvents.on('begun', () => {
        setEnded(false);
        resumeStreams();
        void queries.refetchQueries({
          type: 'active',
          predicate: ({ state }) => isProblem(state.error, 'unauthenticated'),
        });
      }),
    [],
  );
  if (!ended) return null;
  return (
    <Suspense>
      <SessionDialog />
    </Suspense>
  );
}

/** The last organization and project are where `/` leads to. */
function RememberPlace() {
  const { slug, project } = useParams({ strict: false });
  useEffect(() => {
    if (slug) writeLocal('organization', slug);
    if (slug && project) writeLocal('project', `${slug}/${project}`);
  }, [slug, project]);
  return null;
}

/** Offers to take back what was done, until it is taken back otherwise. */
function OfferUndo() {
  useEffect(() => {
    const offered = new Map<string, number>();
    const done = undoEvents.on('done', ({ id, label }) => {
      offered.set(id, toast(label, { action: { label: t('undo'), run: () => undo(id) } }));
    });
    const gone = undoEvents.on('gone', (id) => {
      dismiss(offered.get(id) ?? 0);
      offered.delete(id);
    });
    return () => {
      done();
      gone();
    };
  }, []);
  return null;
}

/** What is wanted next is loaded once the page has settled; what does that, too. */
function warmUpLater(): () => void {
  const gone = new AbortController();
  const begin = async () => {
    const { warmUp } = await insist(() => import('./warm-up'));
    if (!gone.signal.aborted) await warmUp(gone.signal);
  };
  const timer = setTimeout(() => void begin(), 1_000);
  return () => {
    clearTimeout(timer);
    gone.abort();
  };
}
