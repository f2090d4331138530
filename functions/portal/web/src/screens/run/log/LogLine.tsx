import { ChevronDown, ChevronRight, FileDiff, Info, OctagonAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { Icon } from '@/ui/Icon';
import { mark, type Piece, parseAnsi } from './ansi';
import { type Fold, filesIn } from './folds';
import { type Line, rangesIn } from './lines';
import styles from './log.module.css';
import { t } from './strings';

/** A line is cut here until somebody asks for the rest. */
const MOST = 2_000;

interface LogLineProps {
  /** Its position among the lines that are shown, and how far below the first it is, in pixels. */
  index: number;
  start: number;
  /** Measures the line where its height is not known beforehand. */
  measure: ((element: HTMLElement | null) => void) | undefined;
  line: Line;
  time: boolean;
  whole: boolean;
  found: RegExp | undefined;
  /** The find that is looked at now. */
  current: boolean;
  selected: boolean;
  onNumber: (seq: number, extend: boolean) => void;
  onWhole: (seq: number) => void;
  /** What a tool call answered, where that can be folded, and whether it is shown. */
  fold: Fold | undefined;
  unfolded: boolean;
  onFold: (seq: number) => void;
  /** Paths of changed files, where the line may name some. */
  files: readonly string[] | undefined;
  onFile: (path: string) => void;
}

/** One line: its number, time and stream, and its text with the colours that it asks for. */
export const LogLine = memo(function LogLine({
  index,
  start,
  measure,
  line,
  time,
  whole,
  found,
  current,
  selected,
  onNumber,
  onWhole,
  fold,
  unfolded,
  onFold,
  files,
  onFile,
}: LogLineProps) {
  const [seq, at, stream, text, begin] = line;
  const cut = !whole && text.length > MOST;
  const { pieces } = parseAnsi(cut ? text.slice(0, MOST) : text, begin);
  return (
    <div
      ref={measure}
      data-index={index}
      style={{ transform: `translateY(${start}px)` }}
      className={cx(styles.line, styles[stream], selected && styles.selected, current && styles.current)}
    >
      <span className={styles.gutter}>
        <button
          type="button"
          tabIndex={-1}
          className={styles.number}
          onClick={(event) => onNumber(seq, event.shiftKey)}
          aria-label={t('line', { n: String(seq) })}
        >
          {seq}
        </button>
        {time && <time className={styles.time}>{clock(at)}</time>}
        {stream === 'stderr' && <span className={styles.tag}>stderr</span>}
        {stream === 'event' && <Icon of={Info} size={12} className={styles.icon} />}
      </span>
      <span className={styles.text}>
        {texts(pieces, found)}
        {cut && (
          <button type="button" className={styles.more} onClick={() => onWhole(seq)}>
            {t('show', { n: text.length - MOST })}
          </button>
        )}
        {fold && (
          <button
            type="button"
            className={cx(styles.fold, fold.failed && styles.failed)}
            aria-expanded={unfolded}
            onClick={() => onFold(seq)}
          >
            <Icon of={unfolded ? ChevronDown : ChevronRight} size={12} />
            {fold.failed && <Icon of={OctagonAlert} size={12} />}
            {t(fold.failed ? 'answeredFailed' : 'answered', { n: fold.lines })}
          </button>
        )}
        {files &&
          filesIn(text, files)
            .slice(0, 3)
            .map((path) => (
              <button key={path} type="button" className={styles.file} onClick={() => onFile(path)}>
                <Icon of={FileDiff} size={12} />
                {t('inChanges', { path: plain(path) })}
              </button>
            ))}
      </span>
    </div>
  );
});

function texts(pieces: Piece[], found: RegExp | undefined): ReactNode {
  const ranges = found ? rangesIn(pieces.map((piece) => piece.text).join(''), found) : [];
  const marked = mark(pieces, ranges);
  if (marked.length === 0) return '\u200b';
  return marked.map((piece, at) => {
    const Tag = piece.found ? 'mark' : 'span';
    if (!piece.found && Object.keys(piece).length === 1) return piece.text;
    return (
      <Tag key={at} className={looks(piece)} style={free(piece)}>
        {piece.text}
      </Tag>
    );
  });
}

function looks(piece: Piece): string {
  return cx(
    typeof piece.color === 'string' && styles[piece.color],
    typeof piece.color === 'object' && styles.free,
    piece.bold && styles.bold,
    piece.dim && styles.dim,
    piece.italic && styles.italic,
    piece.underline && styles.underline,
    piece.strike && styles.strike,
    piece.inverse && styles.inverse,
  );
}

function free(piece: Piece): React.CSSProperties | undefined {
  if (typeof piece.color !== 'object') return undefined;
  return { '--hue': piece.color.hue, '--chroma': piece.color.chroma } as React.CSSProperties;
}

const format = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

function clock(at: string): string {
  return format.format(Date.parse(at));
}
