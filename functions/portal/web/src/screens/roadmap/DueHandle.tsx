import { type PointerEvent, useRef, useState } from 'react';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import type { Entry } from './entries';
import styles from './roadmap.module.css';
import { t } from './strings';
import { dayText, movedTo, stepOf } from './timeline';

interface DueHandleProps {
  entry: Entry;
  /** The day at which it is drawn now. */
  day: number;
  /** Pixels of a day. */
  scale: number;
  /** While it is moved. */
  onMove: (day: number) => void;
  /** When it is let go. */
  onSet: (day: number) => void;
}

/** After so long without another key, the day that was moved to is set. */
const REST = 700;

/** The end of a bar: its day, moved by the pointer or by arrows. */
export function DueHandle({ entry, day, scale, onMove, onSet }: DueHandleProps) {
  const grabbed = useRef<{ x: number; day: number } | undefined>(undefined);
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [moved, setMoved] = useState<number>();
  const settle = (to: number | undefined) => {
    clearTimeout(resting.current);
    setMoved(undefined);
    if (to !== undefined && to !== entry.due) onSet(to);
  };
  const moveTo = (to: number) => {
    setMoved(to);
    onMove(to);
  };
  const drag = (event: PointerEvent) => {
    const held = grabbed.current;
    if (held) moveTo(movedTo(held.day, Math.round((event.clientX - held.x) / scale), entry.from));
  };
  const text = dayOf(`${dayText(day)}T00:00`);
  const told =
    entry.due === undefined && moved === undefined
      ? t('noDay')
      : entry.all === 0
        ? t('dueAlone', { day: text })
        : t('dueOn', { day: text, done: entry.done, n: entry.all });
  return (
    <span
      role="slider"
      tabIndex={0}
      className={styles.handle}
      aria-label={t('due', { name: plain(entry.name) })}
      aria-valuemin={entry.from}
      aria-valuemax={movedTo(day, 10_000, entry.from)}
      aria-valuenow={day}
      aria-valuetext={told}
      data-tip={`${told}. ${t('keys')}`}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.focus();
        event.currentTarget.setPointerCapture(event.pointerId);
        grabbed.current = { x: event.clientX, day };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        grabbed.current = undefined;
        settle(moved);
      }}
      onPointerCancel={() => {
        grabbed.current = undefined;
        onMove(entry.due ?? day);
        setMoved(undefined);
      }}
      onKeyDown={(event) => {
        const by = stepOf(event.key, event.shiftKey);
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const to = movedTo(day, by, entry.from);
        moveTo(to);
        clearTimeout(resting.current);
        resting.current = setTimeout(() => settle(to), REST);
      }}
      onBlur={() => settle(moved)}
    />
  );
}
