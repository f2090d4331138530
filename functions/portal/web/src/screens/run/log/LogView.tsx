import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, FileText } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Run } from '@/api/types';
import { announce } from '@/app/announcer';
import { useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { cx } from '@/lib/class-names';
import { useLocal } from '@/lib/local';
import { isLive } from '@/runs/explain';
import { Icon } from '@/ui/Icon';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { plainLine } from './ansi';
import { LogBar } from './LogBar';
import { LogLine } from './LogLine';
import { expression, type Line, parseLines, printLines, type Stream } from './lines';
import styles from './log.module.css';
import { t } from './strings';
import { useFollow } from './useFollow';
import { useLog } from './useLog';

const ROW = 20;
/** How often new lines are told to who listens. */
const TELL = 10_000;

/** A run's log: loaded and searched beside the page, of which only the lines in sight are in the document. */
export default function LogView({ run }: { run: Run }) {
  const live = isLive(run);
  const log = useLog(run.organization, run.id, live);
  const [search, change] = useSearchParams();
  const [time, setTime] = useLocal('log.time', false);
  const [wrap, setWrap] = useLocal('log.wrap', false);
  const [stream, setStream] = useState<Stream>();
  const shown = useShown(log.lines, log.version, stream);
  const query = useMemo(
    () => ({ text: search.find ?? '', regex: search.regex === 'true' }),
    [search.find, search.regex],
  );
  const found = useMemo(() => expression(query), [query]);
  const finder = found instanceof RegExp ? found : undefined;
  useEffect(() => log.search(query), [log.search, query]);
  useTellNew(live && log.caughtUp, log.lines.length);

  const view = useView({ log, shown, wrap, wanted: parseLines(search.line) });
  const hits = useMemo(() => visibleHits(log.found, shown), [log.found, shown]);
  const [current, setCurrent] = useState(-1);
  const step = (by: number) => {
    if (hits.length === 0) return;
    const next = ((((current < 0 && by < 0 ? 0 : current) + by) % hits.length) + hits.length) % hits.length;
    setCurrent(next);
    view.show(hits[next] ?? 0);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at its first find.
  useEffect(() => setCurrent(-1), [query]);

  const number = useCallback(
    (seq: number, extend: boolean) => {
      const old = parseLines(search.line);
      const next =
        extend && old ? ([Math.min(old[0], seq), Math.max(old[1], seq)] as const) : ([seq, seq] as const);
      const same = old && old[0] === next[0] && old[1] === next[1];
      change({ line: same ? '' : printLines(next) });
    },
    [search.line, change],
  );
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set());
  const showWhole = useCallback((seq: number) => setWhole((old) => new Set(old).add(seq)), []);
  const field = useRef<HTMLInputElement>(null);
  const nextError = () => view.next((line) => line[2] === 'stderr');
  const openFind = () => field.current?.focus();
  useCommands([
    { id: 'log.find', title: t('find'), group: 'view', keys: '/', run: openFind },
    { id: 'log.next', title: t('next'), group: 'view', keys: 'n', run: () => step(1) },
    { id: 'log.previous', title: t('previous'), group: 'view', keys: 'shift+n', run: () => step(-1) },
    { id: 'log.error', title: t('nextError'), group: 'view', keys: 'e', run: nextError },
    { id: 'log.time', title: t('times'), group: 'view', keys: 't', run: () => setTime(!time) },
    { id: 'log.wrap', title: t('wrap'), group: 'view', keys: 'w', run: () => setWrap(!wrap) },
    { id: 'log.end', title: t('toEnd'), group: 'view', keys: 'shift+g', run: view.toEnd },
  ]);
  const selected = parseLines(search.line);
  const bar = (
    <LogBar
      field={field}
      query={query}
      onQuery={(next) => change({ find: next.text, regex: next.regex ? 'true' : '' })}
      hits={hits.length}
      current={current}
      wrong={log.wrong}
      step={step}
      nextError={nextError}
      stream={stream}
      onStream={setStream}
      time={time}
      onTime={setTime}
      wrap={wrap}
      onWrap={setWrap}
      lines={log.lines}
      name={`${run.item}-${run.id}.log`}
    />
  );

  if (log.lines.length === 0 && (log.error || log.caughtUp || run.status === 'queued')) {
    return log.error ? <ProblemPanel error={log.error} retry={log.retry} /> : <EmptyLog run={run} />;
  }
  return (
    <section
      className={styles.log}
      aria-label={t('log')}
      onKeyDown={(event) => {
        if (event.key === 'f' && (event.metaKey || event.ctrlKey)) {
          event.preventDefault();
          openFind();
        }
      }}
    >
      {bar}
      {log.lines.length === 0 ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={12} height={16} />
        </div>
      ) : (
        <div
          ref={view.box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the log scrolls by keys.
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label={t('log')}
          className={cx(styles.box, wrap && styles.wrap)}
          onScroll={view.onScroll}
        >
          <div className={styles.sizer} style={{ height: view.height }}>
            {view.rows.map((row) => {
              const line = shown[row.index];
              if (!line) return null;
              return (
                <div
                  key={line[0]}
                  ref={wrap ? view.measure : undefined}
                  data-index={row.index}
                  className={styles.row}
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <LogLine
                    line={line}
                    time={time}
                    whole={whole.has(line[0])}
                    found={finder}
                    current={hits[current] === row.index}
                    selected={selected !== undefined && line[0] >= selected[0] && line[0] <= selected[1]}
                    onNumber={number}
                    onWhole={showWhole}
                  />
                </div>
              );
            })}
          </div>
          {log.truncated && <p className={styles.mark}>{t('truncated')}</p>}
        </div>
      )}
      {log.error && <p className={styles.notice}>{t('interrupted')}</p>}
      {view.unseen > 0 && (
        <button type="button" className={styles.pill} onClick={view.toEnd}>
          {t('unseen', { n: view.unseen })}
          <Icon of={ArrowDown} size={12} />
        </button>
      )}
    </section>
  );
}

/** The lines of one stream, or all of them. */
function useShown(lines: readonly Line[], version: number, stream: Stream | undefined): readonly Line[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is one that grows; its version tells.
  return useMemo(
    () => (stream ? lines.filter((line) => line[2] === stream) : lines.slice()),
    [lines, version, stream],
  );
}

/** Positions among the shown lines of what was found among all. */
function visibleHits(found: readonly number[], shown: readonly Line[]): readonly number[] {
  const last = shown.at(-1);
  // Nothing is filtered out: positions are the same.
  if (last && shown[0]?.[0] === 1 && last[0] === shown.length) return found;
  const at = new Map(shown.map((line, position) => [line[0], position]));
  return found.map((position) => at.get(position + 1)).filter((position) => position !== undefined);
}

interface ViewProps {
  log: ReturnType<typeof useLog>;
  shown: readonly Line[];
  wrap: boolean;
  wanted: [number, number] | undefined;
}

/** What is in sight, and how it moves. */
function useView({ log, shown, wrap, wanted }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 24,
    paddingStart: 8,
    paddingEnd: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are measured anew when lines are folded otherwise.
  useEffect(() => virtual.measure(), [wrap]);
  const follow = useFollow(box, shown.length, virtual.getTotalSize());
  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place in the address counts on arrival alone.
  useEffect(() => {
    if (arrived.current || shown.length === 0) return;
    if (wanted) {
      const at = shown.findIndex((line) => line[0] >= wanted[0]);
      if (at < 0 && !log.caughtUp) return;
      arrived.current = true;
      follow.stop();
      virtual.scrollToIndex(Math.max(0, at), { align: 'center' });
    } else if (log.caughtUp) {
      arrived.current = true;
    }
  }, [shown, log.caughtUp]);
  const show = (at: number) => {
    follow.stop();
    virtual.scrollToIndex(at, { align: 'center' });
  };
  const next = (wants: (line: Line) => boolean) => {
    const top = virtual.range?.startIndex ?? 0;
    const middle = Math.floor((top + (virtual.range?.endIndex ?? top)) / 2);
    const after = shown.findIndex((line, at) => at > middle && wants(line));
    const at = after >= 0 ? after : shown.findIndex(wants);
    if (at >= 0) show(at);
    else announce(t('noError'));
  };
  return {
    box,
    rows: virtual.getVirtualItems(),
    height: virtual.getTotalSize(),
    measure: virtual.measureElement,
    show,
    next,
    ...follow,
  };
}

/** Tells who listens how many lines came, not more often than every ten seconds. */
function useTellNew(on: boolean, count: number): void {
  const told = useRef(count);
  const latest = useRef(count);
  latest.current = count;
  useEffect(() => {
    if (!on) return undefined;
    told.current = latest.current;
    const timer = setInterval(() => {
      if (latest.current > told.current) announce(t('newLines', { n: latest.current - told.current }));
      told.current = latest.current;
    }, TELL);
    return () => clearInterval(timer);
  }, [on]);
}

const KEPT_AT_LEAST = 30 * 86_400_000;

function EmptyLog({ run }: { run: Run }) {
  const old = run.finishedAt && Date.now() - Date.parse(run.finishedAt) > KEPT_AT_LEAST;
  if (run.status === 'queued')
    return (
      <EmptyState icon={FileText} title={t('notYet')}>
        {t('notYetDetail')}
      </EmptyState>
    );
  if (isLive(run)) return <EmptyState icon={FileText} title={t('silent')} />;
  return (
    <EmptyState icon={FileText} title={old && run.startedAt ? t('removed') : t('nothing')}>
      {old && run.startedAt && t('removedDetail')}
    </EmptyState>
  );
}

/** The whole log as a text file. */
export function download(lines: readonly Line[], name: string): void {
  const text = lines.map(
    ([, at, stream, line]) => `${at} ${stream === 'stdout' ? '' : `[${stream}] `}${plainLine(line)}\n`,
  );
  const url = URL.createObjectURL(new Blob(text, { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
