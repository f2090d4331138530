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
  /** The title that the text was begun from. */
  const base = useRef(card.title);
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = draftOf.title(slug, card.key);
  const editable = access.write && frozen === undefined;
  useEffect(() => {
    if (!editable) return;
    void readDraft(draft).then((kept) => {
      if (!kept) return;
      if (kept.base !== undefined) base.current = kept.base;
      setText(kept.text);
    });
  }, [draft, editable]);
  const refused = useRef<string>(undefined);
  useDraftGiven(draft, (given, from) => {
    refused.current = given;
    if (from !== undefined) base.current = from;
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
    saveSoon({ id: draft, text: line, base: base.current });
  };
  const begin = () => {
    base.current = card.title;
    setText(card.title);
  };
  const leave = () => {
    // What was refused is not sent again only because the field was left.
    if (text !== refused.current) done(true);
  };
  const done = (save: boolean) => {
    const next = text?.trim();
    // A title that is too long is not cut: the field stays, and says so.
    if (save && next && tooLong(next, MOST.title)) return;
    if (save && next && next !== base.current && next !== card.title) {
      // Told against what the person began with: what others wrote since is not overwritten. The version of that is
      // not known any more, and 0 is stale.
      const version = card.title === base.current ? card.version : 0;
      setFields({ slug, project }, [{ ...card, title: base.current, version }], { title: next });
    }
    setText(undefined);
    refused.current = undefined;
    void forgetDraft(draft);
  };
  // Insisted on where it was refused: nothing is left to write.
  useEffect(() => {
    if (text === undefined || text !== refused.current || text !== card.title) return;
    setText(undefined);
    refused.current = undefined;
    void forgetDraft(draft);
  }, [text, card.title, draft]);
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
          onClick={begin}
        >
          {plain(card.title)}
        </button>
      ) : (
        plain(card.title)
      )}
    </Heading>
  );
}
