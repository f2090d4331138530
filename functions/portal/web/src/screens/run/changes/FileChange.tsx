import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { plain } from '@/lib/text';
import { Chip } from '@/ui/Chip';
import { Icon } from '@/ui/Icon';
import { Counts } from './Counts';
import styles from './changes.module.css';
import { colouringOf } from './highlight';
import { Lines } from './Lines';
import type { Note, Place, useNotes } from './notes';
import type { FilePatch } from './patch';
import { t } from './strings';

interface FileChangeProps {
  patch: FilePatch;
  open: boolean;
  split: boolean;
  onOpen: (open: boolean) => void;
  notes: readonly Note[];
  /** Where remarks go; without, lines are only read. */
  review: ReturnType<typeof useNotes> | undefined;
}

/** A file of a change: its name, and its lines where it is open. */
export function FileChange({ patch, open, split, onOpen, notes, review }: FileChangeProps) {
  const { file, hunks, size, binary, remark } = patch;
  const [asked, ask] = useState<Place>();
  const colour = useMemo(() => colouringOf(file.path), [file.path]);
  const own = notes.filter((note) => note.path === file.path);
  const empty = binary ? t('binary') : !file.inPatch ? t('notShown') : t('noLines');
  return (
    <section className={styles.file} aria-label={plain(file.path)}>
      <h3 className={styles.fileHead}>
        <button type="button" aria-expanded={open} className={styles.fileName} onClick={() => onOpen(!open)}>
          <Icon of={open ? ChevronDown : ChevronRight} size={14} />
          <span className={styles.path}>{plain(file.path)}</span>
        </button>
        {remark && <Chip>{t(remark)}</Chip>}
        {file.previousPath && (
          <span className={styles.previous}>{t('renamed', { path: plain(file.previousPath) })}</span>
        )}
        {own.length > 0 && <Chip tone="accent">{t('comments', { n: own.length })}</Chip>}
        <Counts added={file.additions} removed={file.deletions} />
      </h3>
      {open &&
        (size === 0 ? (
          <p className={styles.nothing}>{empty}</p>
        ) : (
          <Lines
            path={file.path}
            hunks={hunks}
            split={split}
            colour={colour}
            notes={own}
            asked={asked}
            onAsk={review ? ask : undefined}
            onSave={(note) => {
              review?.put(note);
              ask(undefined);
            }}
            onRemove={(place) => review?.remove(place)}
          />
        ))}
    </section>
  );
}
