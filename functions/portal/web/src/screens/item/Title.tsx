import { useEffect, useRef, useState } from 'react';
import { setFields } from '@/items/actions';
import { plain } from '@/lib/text';
import { drop, keep, recall } from '@/store/database';
import type { ItemContext } from './ItemView';
import styles from './item.module.css';
import { t } from './strings';

/** The title: a heading that becomes a field when it is pressed. What is typed survives the tab. */
export function Title({ slug, project, card, access, frozen, peek }: ItemContext & { peek: boolean }) {
  const [text, setText] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = `title/${slug}/${card.key}`;
  const editable = access.write && frozen === undefined;
  useEffect(() => {
    if (!editable) return;
    void recall('drafts', draft).then((kept) => kept && setText(kept.text));
  }, [draft, editable]);
  useEffect(() => {
    const area = field.current;
    if (!area || text === undefined) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);

  const write = (next: string) => {
    const line = next.replace(/\n/g, ' ');
    setText(line);
    void keep('drafts', { id: draft, text: line, at: Date.now() });
  };
  const done = (save: boolean) => {
    const next = text?.trim();
    if (save && next && next !== card.title) setFields({ slug, project }, card, { title: next });
    setText(undefined);
    void drop('drafts', draft);
  };
  if (text !== undefined) {
    return (
      <textarea
        ref={field}
        autoFocus
        aria-label={t('title')}
        className={styles.titleField}
        rows={1}
        maxLength={300}
        value={text}
        onChange={(event) => write(event.target.value)}
        onBlur={() => done(true)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') event.preventDefault();
          if (event.key === 'Enter' || event.key === 'Escape') {
            event.stopPropagation();
            done(event.key === 'Enter');
          }
        }}
      />
    );
  }
  const Heading = peek ? 'h2' : 'div';
  return (
    <Heading className={styles.title} dir="auto">
      {editable ? (
        <button
          type="button"
          className={styles.titleButton}
          aria-label={`${t('editTitle')}: ${plain(card.title)}`}
          onClick={() => setText(card.title)}
        >
          {plain(card.title)}
        </button>
      ) : (
        plain(card.title)
      )}
    </Heading>
  );
}
