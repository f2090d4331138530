import { useQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Run, RunChanges } from '@/api/types';
import { announce } from '@/app/announcer';
import { useSearchParams } from '@/app/params';
import { nameOf } from '@/commands/keys';
import { useCommands } from '@/commands/registry';
import { runChangesQuery } from '@/data/factory';
import { useLocal } from '@/lib/local';
import { useNarrow } from '@/lib/media';
import { isLive } from '@/runs/live';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { callAt, foldsOf, isError, unfolded } from './folds';
import { LogBar } from './LogBar';
import { type Folding, LogLines, type LogView as View } from './LogLines';
import { expression, type Line, parseLines, printLines, type Stream } from './lines';
import styles from './log.module.css';
import { t } from './strings';
import { useLog } from './useLog';

/** How often new lines are told to who listens. */
const TELL = 10_000;

/** A run's log: loaded and searched beside the page, of which only the lines in sight are in the document. */
export default function LogView({ run }: { run: Run }) {
  const live = isLive(run);
  const log = useLog(run.organization, run.id, live);
  const [search, change] = useSearchParams();
  const [time, setTime] = useLocal('log.time', false);
  const [wrap, setWrap] = useLocal('log.wrap', useNarrow());
  const [stream, setStream] = useState<Stream>();
  const all = useShown(log.lines, log.version, stream);
  const query = useMemo(
    () => ({ text: search.find ?? '', regex: search.regex === 'true' }),
    [search.find, search.regex],
  );
  const found = useMemo(() => expression(query), [query]);
  const finder = found instanceof RegExp ? found : undefined;
  const selected = useMemo(() => parseLines(search.line), [search.line]);
  const { shown, folding } = useFolding(all, finder !== undefined || stream !== undefined, selected);
  const { data: files } = useQuery({ ...runChangesQuery(run), enabled: !live, select: pathsOf });
  useEffect(() => log.search(query), [log.search, query]);
  useTellNew(live && log.caughtUp, log.lines.length);

  const view = useRef<View>(null);
  const hits = useMemo(() => visibleHits(log.found, shown), [log.found, shown]);
  const [current, setCurrent] = useState(-1);
  const step = (by: number) => {
    if (hits.length === 0) return;
    const next = ((((current < 0 && by < 0 ? 0 : current) + by) % hits.length) + hits.length) % hits.length;
    setCurrent(next);
    view.current?.show(hits[next] ?? 0);
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
  const field = useRef<HTMLInputElement>(null);
  const nextError = () =>
    view.current?.next((line) => isError(line) || folding.folds?.get(line[0])?.failed === true);
  const openFind = () => field.current?.focus();
  useCommands([
    { id: 'log.find', title: t('find'), group: 'view', keys: '/', run: openFind },
    { id: 'log.next', title: t('next'), group: 'view', keys: 'n', run: () => step(1) },
    { id: 'log.previous', title: t('previous'), group: 'view', keys: 'shift+n', run: () => step(-1) },
    { id: 'log.error', title: t('nextError'), group: 'view', keys: 'e', run: nextError },
    { id: 'log.time', title: t('times'), group: 'view', keys: 't', run: () => setTime(!time) },
    { id: 'log.wrap', title: t('wrap'), group: 'view', keys: 'w', run: () => setWrap(!wrap) },
    { id: 'log.fold', title: t('fold'), group: 'view', keys: 'f', run: folding.toggleAll },
    { id: 'log.end', title: t('toEnd'), group: 'view', keys: 'shift+g', run: () => view.current?.toEnd() },
  ]);
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
      folds={folding.on}
      onFolds={folding.toggleAll}
      lines={log.lines}
      complete={log.caughtUp}
      name={`${run.item}-${run.id}.log`}
    />
  );

  if (log.lines.length === 0 && (log.error || log.caughtUp || run.status === 'queued')) {
    return log.error ? (
      <ProblemPanel error={log.error} retry={log.retry} />
    ) : (
      <EmptyLog run={run} removed={log.written > 0} />
    );
  }
  return (
    <section
      className={styles.log}
      aria-label={t('log')}
      onKeyDown={(event) => {
        if (nameOf(event.nativeEvent) === 'mod+f') {
          event.preventDefault();
          openFind();
        }
      }}
    >
      {bar}
      {log.caughtUp && (log.lines[0]?.[0] ?? 1) > 1 && <p className={styles.notice}>{t('begins')}</p>}
      {log.lines.length === 0 ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={12} height={16} />
        </div>
      ) : (
        <LogLines
          ref={view}
          lines={shown}
          complete={log.caughtUp}
          truncated={log.truncated}
          time={time}
          wrap={wrap}
          found={finder}
          current={hits[current]}
          selected={selected}
          onNumber={number}
          folding={folding}
          files={files}
          onFile={(file) => change({ tab: 'changes', file, line: '', find: '' })}
        />
      )}
      {log.error && <p className={styles.notice}>{t('interrupted')}</p>}
    </section>
  );
}

const pathsOf = (changes: RunChanges): readonly string[] => changes.files.map(({ path }) => path);

/** Tool calls folded to a line each. What is looked for, or leads to a line, is never hidden. */
function useFolding(
  all: readonly Line[],
  open: boolean,
  selected: readonly [number, number] | undefined,
): { shown: readonly Line[]; folding: Folding & { on: boolean; toggleAll: () => void } } {
  const [on, setOn] = useLocal('log.fold', true);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const folds = useMemo(() => (on && !open ? foldsOf(all) : undefined), [on, open, all]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked up once the line is there, not with each that comes.
  const led = useMemo(
    () => (selected && folds ? callAt(all, folds, selected[0]) : undefined),
    [selected, folds !== undefined, all.length > (selected?.[0] ?? 0)],
  );
  const isOpen = useMemo(() => (led === undefined ? opened : new Set([...opened, led])), [opened, led]);
  const shown = useMemo(() => (folds ? unfolded(all, folds, isOpen) : all), [folds, all, isOpen]);
  const toggle = useCallback((seq: number) => {
    setOpened((old) => {
      const next = new Set(old);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  }, []);
  const toggleAll = () => setOn(!on);
  return { shown, folding: { folds, open: isOpen, toggle, on, toggleAll } };
}

/** The lines of one stream, or all of them. */
function useShown(lines: readonly Line[], version: number, stream: Stream | undefined): readonly Line[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the array is one that grows; its version tells.
  return useMemo(
    () => (stream ? lines.filter((line) => line[2] === stream) : lines.slice()),
    [lines, version, stream],
  );
}

/** Positions among the shown lines of those that were found among all, by their numbers. */
function visibleHits(found: readonly number[], shown: readonly Line[]): readonly number[] {
  const [first, last] = [shown[0]?.[0] ?? 0, shown.at(-1)?.[0] ?? -1];
  // Nothing is filtered out: numbers are positions.
  if (last - first + 1 === shown.length)
    return found.filter((seq) => seq >= first && seq <= last).map((seq) => seq - first);
  const at = new Map(shown.map((line, position) => [line[0], position]));
  return found.map((seq) => at.get(seq)).filter((position) => position !== undefined);
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

function EmptyLog({ run, removed }: { run: Run; removed: boolean }) {
  if (run.status === 'queued')
    return (
      <EmptyState icon={FileText} title={t('notYet')}>
        {t('notYetDetail')}
      </EmptyState>
    );
  if (isLive(run)) return <EmptyState icon={FileText} title={t('silent')} />;
  return (
    <EmptyState icon={FileText} title={t(removed ? 'removed' : 'nothing')}>
      {removed && t('removedDetail')}
    </EmptyState>
  );
}
