import { useState } from 'react';
import { bothOf } from '@/lib/merge';
import { Button } from './Button';
import styles from './ConflictView.module.css';
import { t } from './conflict-strings';
import { Dialog } from './Dialog';
import { TextArea } from './Field';

/** Two versions of a text that could not be merged by line. */
export interface TextConflict {
  base: string;
  mine: string;
  theirs: string;
  save: (text: string) => void;
}

/** Shows both versions and lets the person write the one that is saved. Nothing is thrown away. */
export default function ConflictDialog({
  conflict,
  onClose,
}: {
  conflict: TextConflict;
  onClose: () => void;
}) {
  const [text, setText] = useState(() => bothOf(conflict.base, conflict.mine, conflict.theirs));
  const save = () => {
    conflict.save(text);
    onClose();
  };
  return (
    <Dialog
      open
      stays
      wide
      onClose={onClose}
      title={t('title')}
      foot={
        <>
          <Button onClick={onClose}>{t('keepTheirs')}</Button>
          <Button kind="primary" onClick={save}>
            {t('save')}
          </Button>
        </>
      }
    >
      <p className={styles.about}>{t('about')}</p>
      <div className={styles.sides}>
        <section>
          <h3 className={styles.heading}>{t('theirs')}</h3>
          <pre className={styles.text}>{conflict.theirs}</pre>
          <Button size="small" onClick={() => setText(conflict.theirs)}>
            {t('takeTheirs')}
          </Button>
        </section>
        <section>
          <h3 className={styles.heading}>{t('mine')}</h3>
          <pre className={styles.text}>{conflict.mine}</pre>
          <Button size="small" onClick={() => setText(conflict.mine)}>
            {t('takeMine')}
          </Button>
        </section>
      </div>
      <TextArea
        label={t('result')}
        rows={10}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Dialog>
  );
}
