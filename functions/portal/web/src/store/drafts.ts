/** Texts that are being written: kept every half second, so that a closed tab loses nothing. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { emitter } from '@/lib/emitter';
import { drop, keep, recall } from './database';

const SAVE_AFTER = 500;

const draftsGiven = emitter<Record<string, string>>();

/** Puts a text into a field that is drafted elsewhere on the page, such as the composer of an item. */
export function giveDraft(id: string, text: string): void {
  void keep('drafts', { id, text, at: Date.now() });
  draftsGiven.emit(id, text);
}

/**
 * A text that survives the tab. `id` names the field (`item/DEMO-7/body`). Until the draft was looked for, `ready` is
 * false and the field waits.
 */
export function useDraft(id: string, initial = '') {
  const [text, setText] = useState(initial);
  const [state, setState] = useState<{ id: string; recovered: boolean; base: string | undefined }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<string>(undefined);
  const begun = useRef(initial);
  const typed = useRef(false);

  useEffect(() => {
    let gone = false;
    begun.current = initial;
    typed.current = false;
    void recall('drafts', id).then((draft) => {
      if (gone) return;
      // What was typed while the draft was looked for stands.
      if (!typed.current) setText(draft?.text ?? initial);
      if (draft) begun.current = draft.base ?? initial;
      setState({ id, recovered: draft !== undefined, base: draft?.base });
    });
    const save = () => {
      clearTimeout(timer.current);
      if (unsaved.current !== undefined)
        void keep('drafts', { id, text: unsaved.current, base: begun.current, at: Date.now() });
      unsaved.current = undefined;
    };
    const given = draftsGiven.on(id, (text) => {
      unsaved.current = text;
      setText(text);
    });
    addEventListener('pagehide', save);
    return () => {
      gone = true;
      given();
      save();
      removeEventListener('pagehide', save);
    };
  }, [id, initial]);

  const write = useCallback(
    (next: string) => {
      typed.current = true;
      setText(next);
      unsaved.current = next;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        unsaved.current = undefined;
        void keep('drafts', { id, text: next, base: begun.current, at: Date.now() });
      }, SAVE_AFTER);
    },
    [id],
  );

  const clear = useCallback(() => {
    clearTimeout(timer.current);
    unsaved.current = undefined;
    setText('');
    void drop('drafts', id);
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
