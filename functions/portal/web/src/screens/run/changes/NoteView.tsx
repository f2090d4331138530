import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isComposing } from '@/lib/composing';
import { Button, IconButton } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import styles from './changes.module.css';
import type { Note } from './notes';
import { t } from './strings';

interface NoteFormProps {
  label: string;
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** Writes a remark on a line. */
export function NoteForm({ label, text: before, onSave, onCancel }: NoteFormProps) {
  const [text, setText] = useState(before);
  const ready = text.trim() !== '';
  const save = () => ready && onSave(text.trim());
  return (
    <form
      className={styles.noteForm}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextArea
        label={label}
        rows={3}
        maxLength={4_000}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div className={styles.noteFoot}>
        <Button type="submit" size="small" kind="primary" refusal={ready ? undefined : t('remarkLabel')}>
          {t(before ? 'save' : 'add')}
        </Button>
        <Button size="small" kind="ghost" onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}

interface NoteViewProps {
  note: Note;
  onEdit: (() => void) | undefined;
  onRemove: () => void;
}

/** A remark that is not sent yet. */
export function NoteView({ note, onEdit, onRemove }: NoteViewProps) {
  return (
    <div className={styles.note}>
      <p className={styles.noteText}>{note.text}</p>
      {onEdit && <IconButton icon={Pencil} size="small" label={t('edit')} onClick={onEdit} />}
      <IconButton icon={Trash2} size="small" label={t('remove')} onClick={onRemove} />
    </div>
  );
}
