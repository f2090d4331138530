/** The lines in sight, and how they move. Scrolling draws only this, and of it only what comes into sight. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  memo,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { announce } from '@/app/announcer';
import { cx } from '@/lib/class-names';
import { Icon } from '@/ui/Icon';
import { type Fold, isCall } from './folds';
import { LogLine } from './LogLine';
import type { Line } from './lines';
import styles from './log.module.css';
import { t } from './strings';
import { useFollow } from './useFollow';

const ROW = 20;
const BEYOND = 16;

/** What the bar and the keys ask of the lines. */
export interface LogView {
  show: (at: number) => void;
  /** Shows the next line below the middle that is wanted, or else the first. */
  next: (wants: (line: Line) => boolean) => void;
  toEnd: () => void;
}

/** Which tool calls are folded, and what unfolds one. */
export interface Folding {
  /** Of the calls that answered something; nothing while none is folded. */
  folds: ReadonlyMap<number, Fold> | undefined;
  open: ReadonlySet<number>;
  toggle: (seq: number) => void;
}

interface LogLinesProps {
  ref: Ref<LogView>;
  lines: readonly Line[];
  /** Whether everything that there is was read. */
  complete: boolean;
  truncated: boolean;
  time: boolean;
  wrap: boolean;
  found: RegExp | undefined;
  /** Position of the find that is looked at now. */
  current: number | undefined;
  /** First and last number of the lines in the address. */
  selected: readonly [number, number] | undefined;
  onNumber: (seq: number, extend: boolean) => void;
  folding: Folding;
  /** Paths of the files that the run changed, once that is known. */
  files: readonly string[] | undefined;
  onFile: (path: string) => void;
}

export const LogLines = memo(function LogLines(props: LogLinesProps) {
  const { ref, lines, truncated, time, wrap, found, current, selected, onNumber, folding, files, onFile } =
    props;
  const [whole, setWhole] = useState<ReadonlySet<number>>(new Set());
  const showWhole = useCallback((seq: number) => setWhole((old) => new Set(old).add(seq)), []);
  const view = useView(props);
  useImperativeHandle(ref, () => ({ show: view.show, next: view.next, toEnd: view.toEnd }));
  return (
    <>
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
          {view.rows.map(({ index, start }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <LogLine
                key={line[0]}
                index={index}
                start={start}
                measure={wrap ? view.measure : undefined}
                line={line}
                time={time}
                whole={whole.has(line[0])}
                found={found}
                current={current === index}
                selected={selected !== undefined && line[0] >= selected[0] && line[0] <= selected[1]}
                onNumber={onNumber}
                onWhole={showWhole}
                fold={folding.folds?.get(line[0])}
                unfolded={folding.open.has(line[0])}
                onFold={folding.toggle}
                files={isCall(line) ? files : undefined}
                onFile={onFile}
              />
            );
          })}
        </div>
        {truncated && <p className={styles.mark}>{t('truncated')}</p>}
      </div>
      {view.unseen > 0 && (
        <button type="button" className={styles.pill} onClick={view.toEnd}>
          {t('unseen', { n: view.unseen })}
          <Icon of={ArrowDown} size={12} />
        </button>
      )}
    </>
  );
});

function useView({ lines, complete, wrap, selected }: LogLinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
    paddingStart: 8,
    paddingEnd: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are measured anew when lines are folded otherwise.
  useEffect(() => virtual.measure(), [wrap]);
  const follow = useFollow(box, lines.length, virtual.getTotalSize());
  useKeptPlace(box, lines, follow.following);
  const arrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place in the address counts on arrival alone.
  useEffect(() => {
    if (arrived.current || lines.length === 0) return;
    if (selected) {
      const at = lines.findIndex((line) => line[0] >= selected[0]);
      // Of a long log only the end may be there yet.
      if ((at < 0 || (at === 0 && lines[0]?.[0] !== selected[0])) && !complete) return;
      arrived.current = true;
      follow.stop();
      virtual.scrollToIndex(Math.max(0, at), { align: 'center' });
    } else if (complete) {
      arrived.current = true;
    }
  }, [lines, complete]);
  const show = (at: number) => {
    follow.stop();
    virtual.scrollToIndex(at, { align: 'center' });
  };
  const next = (wants: (line: Line) => boolean) => {
    const top = virtual.range?.startIndex ?? 0;
    const middle = Math.floor((top + (virtual.range?.endIndex ?? top)) / 2);
    const after = lines.findIndex((line, at) => at > middle && wants(line));
    const at = after >= 0 ? after : lines.findIndex(wants);
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

/** Keeps what is looked at in its place when all that comes before the end arrives. */
function useKeptPlace(box: RefObject<HTMLElement | null>, lines: readonly Line[], following: boolean): void {
  const first = lines[0]?.[0];
  const before = useRef(first);
  useLayoutEffect(() => {
    const held = before.current;
    before.current = first;
    if (following || held === undefined || first === undefined || first >= held || !box.current) return;
    const came = lines.findIndex((line) => line[0] === held);
    if (came > 0) box.current.scrollTop += came * ROW;
  }, [box, lines, first, following]);
}
