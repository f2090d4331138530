import { lengthOf } from '@/lib/length';
import styles from './Field.module.css';
import { t } from './strings';

/** Why a text cannot be sent as long as it is; nothing where it can. */
export function tooLong(text: string, most: number): string | undefined {
  if (text.length <= most) return undefined;
  const length = lengthOf(text);
  return length > most ? t('tooLong', { n: length, most }) : undefined;
}

/** Says how long a text is, once it comes near to what is allowed. */
export function TextLength({ text, most }: { text: string; most: number }) {
  const refusal = tooLong(text, most);
  const near = text.length > most * 0.9;
  return (
    <span role="status" className={refusal ? styles.error : 'meta tabular'}>
      {refusal ?? (near ? t('length', { n: lengthOf(text), most }) : '')}
    </span>
  );
}
