import { Fragment, type KeyboardEvent, memo, useMemo } from 'react';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { type DiffRow, type Hunk, rowsOf, sidesOf } from '@/ui/diff/diff-rows';
import styles from './changes.module.css';
import type { Piece } from './highlight';
import { NoteForm, NoteView } from './NoteView';
import { type Note, type Place, samePlace } from './notes';
import { spelledOut } from './patch';
import { t } from './strings';

interface LinesProps {
  path: string;
  hunks: readonly Hunk[];
  split: boolean;
  colour: ((text: string) => Piece[]) | undefined;
  notes: readonly Note[];
  /** The line on which a remark is being written. */
  asked: Place | undefined;
  /** Asks for a remark on a line; without, lines are only read. */
  onAsk: ((place: Place | undefined) => void) | undefined;
  onSave: (note: Note) => void;
  onRemove: (place: Place) => void;
}

const MARKS: Record<DiffRow['kind'], string> = { added: '+', removed: '−', context: ' ' };

/** One line in one column, or what stands beside each other in two. */
type Pair = readonly [DiffRow | undefined, DiffRow | undefined];

/** The changed lines of a file. One of its line numbers is a tab stop, and arrows lead to the others. */
export function Lines({ path, hunks, split, ...rest }: LinesProps) {
  const parts = useMemo(
    () =>
      hunks.map((hunk): Pair[] => (split ? sidesOf(hunk) : rowsOf(hunk).map((row) => [row, row] as const))),
    [hunks, split],
  );
  return (
    <div className={cx(styles.lines, split && styles.split)} onKeyDown={walk}>
      {parts.map((pairs, at) => (
        <table key={hunks[at]?.newStart ?? at} className={styles.table}>
          <caption className="visually-hidden">{plain(path)}</caption>
          {split && (
            <colgroup>
              <col className={styles.numberColumn} />
              <col />
              <col className={styles.numberColumn} />
              <col />
            </colgroup>
          )}
          <tbody>
            {pairs.map((pair, line) => (
              <LinePair
                key={`${pair[0]?.old ?? ''}:${pair[1]?.new ?? ''}`}
                path={path}
                pair={pair}
                split={split}
                first={at === 0 && line === 0}
                {...rest}
              />
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

/** Arrows move between the numbers of lines. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = event.target as HTMLElement;
  if (step === undefined || from.dataset.line === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const next = all[all.indexOf(from) + step];
  if (!next) return;
  event.preventDefault();
  from.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

interface LinePairProps extends Omit<LinesProps, 'hunks'> {
  pair: Pair;
  first: boolean;
}

function LinePair({
  path,
  pair,
  split,
  first,
  notes,
  asked,
  onAsk,
  onSave,
  onRemove,
  colour,
}: LinePairProps) {
  const [left, right] = pair;
  const unchanged = left !== undefined && left === right;
  const places = [...new Set([left, right])]
    .filter((row) => row !== undefined)
    .map((row) => [row, placeOf(path, row)] as const);
  const cell = (row: DiffRow | undefined, shown: number | undefined, stop: boolean) => (
    <LineNumber row={row} shown={shown} path={path} onAsk={onAsk} stop={stop} />
  );
  return (
    <Fragment>
      <tr>
        {split ? (
          <>
            {unchanged ? <td className={styles.number}>{left?.old}</td> : cell(left, left?.old, first)}
            <Code row={left} colour={colour} />
            {cell(right, right?.new, first && (unchanged || left === undefined))}
            <Code row={right} colour={colour} />
          </>
        ) : (
          <>
            <td className={cx(styles.number, left && styles[left.kind])}>{left?.old}</td>
            {cell(left, left?.new ?? left?.old, first)}
            <Code row={left} colour={colour} />
          </>
        )}
      </tr>
      {places.map(([row, place]) => {
        const note = notes.find((one) => samePlace(one, place));
        const writing = asked !== undefined && samePlace(asked, place);
        if (!note && !writing) return null;
        return (
          <tr key={place.side}>
            <td colSpan={4} className={styles.noteCell}>
              {writing ? (
                <NoteForm
                  label={nameOf(place)}
                  text={note?.text ?? ''}
                  onSave={(text) => onSave({ ...place, code: row.text, text })}
                  onCancel={() => onAsk?.(undefined)}
                />
              ) : (
                note && (
                  <NoteView
                    note={note}
                    onEdit={onAsk && (() => onAsk(place))}
                    onRemove={() => onRemove(place)}
                  />
                )
              )}
            </td>
          </tr>
        );
      })}
    </Fragment>
  );
}

const placeOf = (path: string, row: DiffRow): Place =>
  row.kind === 'removed'
    ? { path, side: 'old', line: row.old ?? 0 }
    : { path, side: 'new', line: row.new ?? 0 };

const nameOf = ({ path, side, line }: Place) =>
  t(side === 'old' ? 'remarkOld' : 'remark', { line, path: plain(path) });

interface LineNumberProps {
  row: DiffRow | undefined;
  /** The number that is shown. */
  shown: number | undefined;
  path: string;
  onAsk: ((place: Place) => void) | undefined;
  stop: boolean;
}

/** The number of a line, which asks for a remark on it. */
function LineNumber({ row, shown, path, onAsk, stop }: LineNumberProps) {
  if (!row) return <td className={styles.number} />;
  const place = placeOf(path, row);
  return (
    <td className={cx(styles.number, styles[row.kind])}>
      {onAsk ? (
        <button
          type="button"
          className={styles.numberButton}
          data-line={`${place.side}${place.line}`}
          tabIndex={stop ? 0 : -1}
          aria-label={nameOf(place)}
          onClick={() => onAsk(place)}
        >
          {shown}
        </button>
      ) : (
        shown
      )}
    </td>
  );
}

interface CodeProps {
  row: DiffRow | undefined;
  colour: ((text: string) => Piece[]) | undefined;
}

const Code = memo(function Code({ row, colour }: CodeProps) {
  if (!row) return <td className={styles.gap} />;
  const text = spelledOut(row.text);
  return (
    <td className={cx(styles.code, styles[row.kind])}>
      <span className={styles.mark}>{MARKS[row.kind]}</span>
      {colour
        ? colour(text).map((piece, at) =>
            piece.kind ? (
              <span key={at} className={styles[`code-${piece.kind}`]}>
                {piece.text}
              </span>
            ) : (
              piece.text
            ),
          )
        : text}
    </td>
  );
});
