import { useEffect, useRef, useState } from 'react';
import { setFields } from '@/items/actions';
import { isComposing } from '@/lib/composing';
import { MOST } from '@/lib/length';
import { plain } from '@/lib/text';
import { forgetDraft, readDraft, saveSoon } from '@/store/draft-saving';
import { draftOf, useDraftGiven } from '@/store/drafts';
import { TextLength, tooLong } from '@/ui/TextLength';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';

/** The title: a heading that becomes a field when it is pressed. What is typed survives the tab. */
export function Title({ slug, project, card, access, frozen, peek }: ItemContext & { peek: boolean }) {
  const [text, setText] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = draftOf.title(slug, card.key);
  const editable = access.write && frozen === undefined;
  useEffect(() => {
    if (!editable) return;
    void readDraft(draft).then((kept) => kept && setText(kept.text));
  }, [draft, editable]);
  const refused = useRef<string>(undefined);
  useDraftGiven(draft, (given) => {
    refused.current = given;
    setText(given);
  });
  useEffect(() => {
    const area = field.current;
    if (!area || text === undefined) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }, [text]);

  const write = (next: string) => {
    const line = next.replace(/\n/g, ' ');
    setText(line);
    saveSoon({ id: draft, text: line });
  };
  const leave = () => {
    // What was refused is not sent again only because the field was left.
    if (text !== refused.current) done(true);
  };
  const done = (save: boolean) => {
    const next = text?.trim();
    // A title that is too long is not cut: the field stays, and says so.
    if (save && next && tooLong(next, MOST.title)) return;
    if (save && next && next !== card.title) setFields({ slug, project }, card, { title: next });
    setText(undefined);
    refused.current = undefined;
    void forgetDraft(draft);
  };
  if (text !== undefined) {
    return (
      <div>
        <textarea
          ref={field}
          autoFocus
          aria-label={t('title')}
          aria-invalid={tooLong(text.trim(), MOST.title) ? true : undefined}
          className={styles.titleField}
          rows={1}
          value={text}
          onChange={(event) => write(event.target.value)}
          onBlur={leave}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            if (event.key === 'Enter') event.preventDefault();
            if (event.key === 'Enter' || event.key === 'Escape') {
              event.stopPropagation();
              done(event.key === 'Enter');
            }
          }}
        />
        <TextLength text={text.trim()} most={MOST.title} />
      </div>
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
