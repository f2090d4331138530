import { cx } from '@/lib/class-names';
import { t } from '../strings';
import styles from './diff.module.css';
import { type Hunk, rowsOf, sidesOf } from './diff-rows';

const MARKS: Record<string, string> = { added: '+', removed: '−' };

/** The difference of two texts, in one column or two. Marks say what colours repeat. */
export function Diff({ hunks, split }: { hunks: readonly Hunk[]; split: boolean }) {
  return (
    <div className={styles.diff}>
      {hunks.map((hunk) =>
        split ? <Split key={hunk.oldStart} hunk={hunk} /> : <Unified key={hunk.oldStart} hunk={hunk} />,
      )}
    </div>
  );
}

function Unified({ hunk }: { hunk: Hunk }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('hunk', { line: hunk.newStart })}</caption>
      <tbody>
        {rowsOf(hunk).map((row) => (
          <tr key={`${row.old ?? ''}:${row.new ?? ''}`} className={styles[row.kind]}>
            <td className={styles.number}>{row.old}</td>
            <td className={styles.number}>{row.new}</td>
            <td className={styles.mark}>{MARKS[row.kind]}</td>
            <td className={styles.text}>{row.text || '\u200b'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Split({ hunk }: { hunk: Hunk }) {
  return (
    <table className={cx(styles.table, styles.split)}>
      <caption className="visually-hidden">{t('hunk', { line: hunk.newStart })}</caption>
      <tbody>
        {sidesOf(hunk).map(([left, right]) => (
          <tr key={`${left?.old ?? ''}:${right?.new ?? ''}`}>
            <td className={cx(styles.number, left && styles[left.kind])}>{left?.old}</td>
            <td className={cx(styles.text, left && styles[left.kind])}>
              {left ? `${MARKS[left.kind] ?? ' '} ${left.text}` : ''}
            </td>
            <td className={cx(styles.number, right && styles[right.kind])}>{right?.new}</td>
            <td className={cx(styles.text, right && styles[right.kind])}>
              {right ? `${MARKS[right.kind] ?? ' '} ${right.text}` : ''}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
