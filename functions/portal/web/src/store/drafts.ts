/** Texts that are being written: kept while they are (`draft-saving.ts`), so that a closed tab loses nothing. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { emitter } from '@/lib/emitter';
import { forgetDraft, readDraft, saveNow, saveSoon } from './draft-saving';

/** Names of the drafts that more than one place writes. */
export const draftOf = {
  title: (slug: string, key: string) => `title/${slug}/${key}`,
  body: (slug: string, key: string) => `body/${slug}/${key}`,
  comment: (slug: string, key: string, replyTo?: string | null) => `comment/${slug}/${key}/${replyTo ?? ''}`,
  /** Ids of the files that belong to the comment. */
  commentFiles: (slug: string, key: string, replyTo?: string | null) =>
    `comment-files/${slug}/${key}/${replyTo ?? ''}`,
  commentEdit: (slug: string, key: string, comment: string) => `comment-edit/${slug}/${key}/${comment}`,
};

const draftsGiven = emitter<Record<string, { text: string; base: string | undefined }>>();

/** What is typed in the fields that are open, by the draft's name. Nothing while a field is as it was opened. */
const typedIn = new Map<string, () => string | undefined>();

/** Puts a text into a field that is drafted elsewhere on the page, such as the composer of an item. */
export function giveDraft(id: string, text: string, base?: string): void {
  saveSoon({ id, text, base });
  draftsGiven.emit(id, { text, base });
  void saveNow();
}

/** What is written under a draft's name now, in a field that is open or before. */
export async function draftText(id: string): Promise<string | undefined> {
  const typed = typedIn.get(id);
  return typed ? typed() : (await readDraft(id))?.text;
}

/** Gives a text that the service refused back to its field. What was written there since stays below it. */
export async function returnDraft(id: string, text: string, base?: string): Promise<void> {
  const since = await draftText(id);
  giveDraft(id, since && since !== text ? `${text}\n\n${since}` : text, base);
}

/** Tells when a draft is given, to open the field that shows it. */
export function useDraftGiven(id: string, given: (text: string, base: string | undefined) => void): void {
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => draftsGiven.on(id, ({ text, base }) => latest.current(text, base)), [id]);
}

/**
 * A text that survives the tab. `id` names the field (`item/DEMO-7/body`). Until the draft was looked for, `ready` is
 * false and the field waits.
 */
export function useDraft(id: string, initial = '') {
  const [text, setText] = useState(initial);
  const [state, setState] = useState<{ id: string; recovered: boolean; base: string | undefined }>();
  const begun = useRef(initial);
  const typed = useRef(false);
  const current = useRef(text);
  current.current = text;

  useEffect(() => {
    let gone = false;
    if (!typed.current) begun.current = initial;
    void readDraft(id).then((draft) => {
      if (gone) return;
      // What was typed while the draft was looked for stands.
      if (!typed.current) setText(draft?.text ?? initial);
      if (draft) begun.current = draft.base ?? initial;
      setState({ id, recovered: draft !== undefined, base: draft?.base });
    });
    const given = draftsGiven.on(id, ({ text, base }) => {
      begun.current = base ?? begun.current;
      typed.current = true;
      saveSoon({ id, text, base: begun.current });
      setText(text);
      setState({ id, recovered: true, base: begun.current });
    });
    const read = () => (typed.current ? current.current : undefined);
    typedIn.set(id, read);
    return () => {
      gone = true;
      if (typedIn.get(id) === read) typedIn.delete(id);
      given();
      // The next field begins anew, but what is typed before the effect that follows is typed in it.
      typed.current = false;
    };
  }, [id, initial]);

  const write = useCallback(
    (next: string) => {
      typed.current = true;
      setText(next);
      saveSoon({ id, text: next, base: begun.current });
    },
    [id],
  );

  const clear = useCallback(() => {
    typed.current = false;
    setText('');
    void forgetDraft(id);
  }, [id]);

  const ready = state?.id === id;
  return {
    text,
    write,
    clear,
    ready,
    recovered: ready && state.recovered,
    base: ready ? state.base : undefined,
  };
}
