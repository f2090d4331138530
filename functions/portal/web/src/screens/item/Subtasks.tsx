import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { data, http } from '@/api/client';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { useCommands } from '@/commands/registry';
import { isOver } from '@/items/states';
import { isComposing } from '@/lib/composing';
import { plain } from '@/lib/text';
import { useCards } from '@/store/hooks';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { StateGlyph } from '@/ui/glyphs';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';

/** What belongs to the item, and a row to add to it. */
export function Subtasks({ slug, project, graph, card, access, frozen }: ItemContext) {
  const cards = useCards(graph);
  const children = useMemo(() => cards.filter((other) => other.parent === card.key), [cards, card.key]);
  const [adding, setAdding] = useState(false);
  const editable = access.write && frozen === undefined && card.type !== 'subtask';
  const add = () => setAdding(true);
  useCommands(editable ? [{ id: 'item.subtask', title: t('addSubtask'), group: 'item', run: add }] : []);
  if (children.length === 0 && !editable) return null;
  const done = children.filter(isOver).length;
  return (
    <section
      className={styles.section}
      aria-label={t('subtasks')}
      data-empty={(children.length === 0 && !adding) || undefined}
    >
      <header className={styles.sectionHead}>
        <h2 className={styles.sectionTitle}>{t('subtasks')}</h2>
        {children.length > 0 && (
          <>
            <span className="meta tabular">
              {done}/{children.length}
            </span>
            <progress
              className={styles.progress}
              max={children.length}
              value={done}
              aria-label={t('subtasks')}
            />
          </>
        )}
        {editable && (
          <Button size="small" kind="ghost" icon={Plus} className={styles.push ?? ''} onClick={add}>
            {t('addSubtask')}
          </Button>
        )}
      </header>
      <ul className={styles.rows}>
        {children.map((child) => (
          <li key={child.key}>
            <Link
              to="/o/$slug/p/$project/items/$item"
              params={{ slug, project, item: child.key }}
              className={styles.row}
            >
              <StateGlyph group={child.stateGroup} />
              <span className="meta tabular">{child.key}</span>
              <span className="truncate">{plain(child.title)}</span>
              <span className={styles.push} />
              {child.estimate !== null && child.estimate !== undefined && (
                <span className="meta tabular">{child.estimate}</span>
              )}
              {child.assignee && <Avatar name={child.assignee.name} agent={child.assignee.agent} />}
            </Link>
          </li>
        ))}
      </ul>
      {adding && <AddSubtask slug={slug} parent={card.key} onDone={() => setAdding(false)} />}
    </section>
  );
}

function AddSubtask({ slug, parent, onDone }: { slug: string; parent: string; onDone: () => void }) {
  const [title, setTitle] = useState('');
  const [estimate, setEstimate] = useState('1');
  const sending = useSending(async () => {
    const body = { title, estimate: Number(estimate.replace(',', '.')) };
    await data(
      http.POST('/api/v1/orgs/{slug}/items/{key}/subtasks', {
        params: { path: { slug, key: parent } },
        body,
      }),
    );
    setTitle('');
  });
  return (
    <form
      className={styles.inlineForm}
      onSubmit={sending.onSubmit}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event.nativeEvent) && onDone()}
    >
      <div className={styles.grow}>
        <TextField
          label={t('subtaskTitle')}
          autoFocus
          required
          maxLength={300}
          value={title}
          errors={sending.errorsOf('title')}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <div className={styles.short}>
        <TextField
          label={t('estimate')}
          inputMode="decimal"
          required
          value={estimate}
          errors={sending.errorsOf('estimate')}
          onChange={(event) => setEstimate(event.target.value)}
        />
      </div>
      <Button kind="primary" type="submit" busy={sending.busy}>
        {t('add')}
      </Button>
      <Button kind="ghost" onClick={onDone}>
        {t('cancel')}
      </Button>
      <FormProblem error={sending.error} />
    </form>
  );
}
