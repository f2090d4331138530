import { useState } from 'react';
import type { Item, Project } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import type { Place } from '@/items/actions';
import { transferItem } from '@/items/transfer';
import { t } from '@/items/transfer-strings';
import { listed } from '@/lib/listed';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckField, SelectField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';

/** So many keys are named. */
const NAMED = 5;

interface TransferDialogProps {
  place: Place;
  card: Card;
  /** Where it can go; at least one. */
  projects: readonly Project[];
  /** What belongs to it: subtasks go along, the others as chosen. */
  below: readonly Card[];
  onDone: (moved: Item) => void;
  onClose: () => void;
}

/** Asks for the project that an item goes to, and says what becomes of it. */
export function TransferDialog({ place, card, projects, below, onDone, onClose }: TransferDialogProps) {
  const [chosen, choose] = useState(projects[0]?.key ?? '');
  const [together, setTogether] = useState(true);
  const subtasks = below.filter(({ type }) => type === 'subtask');
  const others = below.filter(({ type }) => type !== 'subtask');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    onDone(await transferItem(place, card, chosen, together ? below : subtasks, together));
  });
  return (
    <Dialog open onClose={onClose} title={t('title', { key: card.key })}>
      <form className={form.form} onSubmit={onSubmit}>
        <SelectField
          label={t('project')}
          value={chosen}
          errors={errorsOf('project')}
          onChange={(event) => choose(event.target.value)}
        >
          {projects.map(({ key, name }) => (
            <option key={key} value={key}>
              {`${plain(name)} (${key})`}
            </option>
          ))}
        </SelectField>
        <p>{t('detail')}</p>
        {others.length > 0 && (
          <CheckField
            label={t('withChildren')}
            hint={t('withChildrenHint', { n: others.length, keys: others[0]?.key ?? '' })}
            checked={together}
            onChange={(event) => setTogether(event.target.checked)}
          />
        )}
        {subtasks.length > NAMED && <p>{t('alongMany', { n: subtasks.length })}</p>}
        {subtasks.length > 0 && subtasks.length <= NAMED && (
          <p>{t('along', { n: subtasks.length, keys: listed(subtasks.map(({ key }) => key)) })}</p>
        )}
        {(card.sprint || card.parent || card.assignee) && <p>{t('drops')}</p>}
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('move')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
