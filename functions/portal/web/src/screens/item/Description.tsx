import { useState } from 'react';
import { useCommands } from '@/commands/registry';
import { renderText } from '@/data/render';
import { setFields } from '@/items/actions';
import { hasMarks, useNames } from '@/items/useNames';
import { MOST } from '@/lib/length';
import { draftOf, useDraft, useDraftGiven } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { MarkdownEditor, prepareEditor } from '@/ui/MarkdownEditor';
import { Prose } from '@/ui/Prose';
import { Banner } from '@/ui/states';
import { TextLength, tooLong } from '@/ui/TextLength';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';
import { useSuggestions } from './suggestions';
import { tick } from './tasks';
import { UploadRows } from './UploadRow';
import { useUploads } from './uploads';

/** The description: read as HTML, and written in Markdown once somebody wants to. */
export function Description(context: ItemContext) {
  const { slug, detail, card, access, frozen } = context;
  const [editing, setEditing] = useState(false);
  // Who leaves the editor goes on with keys from where it was.
  const [left, setLeft] = useState(false);
  const leave = () => {
    setEditing(false);
    setLeft(true);
  };
  const editable = access.write && frozen === undefined && detail !== undefined;
  useCommands(
    access.write
      ? [
          {
            id: 'item.edit',
            title: t('editDescription'),
            group: 'item',
            keys: 'e',
            refusal: frozen,
            run: () => setEditing(editable),
          },
        ]
      : [],
  );
  useDraftGiven(draftOf.body(slug, card.key), () => setEditing(true));
  const names = useNames(slug, context.project, hasMarks(detail?.html));
  if (editing && detail) return <Editing {...context} onDone={leave} />;
  // A description that was saved a moment ago is shown as text until the service has rendered it.
  const body = card.body || detail?.body || '';
  const fresh = detail !== undefined && body === detail.body;
  return (
    <section aria-label={t('description')} className={styles.section}>
      {body ? (
        <Prose
          html={fresh ? detail.html : null}
          text={body}
          names={names}
          onTask={editable ? (number, done) => void tick(context, number, done) : undefined}
        />
      ) : (
        editable && (
          <button
            type="button"
            className={styles.placeholder}
            autoFocus={left}
            onPointerEnter={prepareEditor}
            onClick={() => setEditing(true)}
          >
            {t('addDescription')}
          </button>
        )
      )}
      {body && editable && (
        <div className={styles.under}>
          <Button
            kind="ghost"
            size="small"
            autoFocus={left}
            data-tip-keys="e"
            onPointerEnter={prepareEditor}
            onClick={() => setEditing(true)}
          >
            {t('edit')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Editing({ onDone, ...context }: ItemContext & { onDone: () => void }) {
  const { slug, project, card, detail, frozen } = context;
  const [begun] = useState(detail?.body ?? '');
  const draft = useDraft(draftOf.body(slug, card.key), begun);
  const names = useNames(slug, project);
  const naming = useSuggestions(context);
  const { upload, uploads } = useUploads(slug, card.key);
  const base = draft.base ?? begun;
  const refusal =
    frozen ?? tooLong(draft.text, MOST.body) ?? (uploads.length > 0 ? t('uploadsFirst') : undefined);
  const save = () => {
    if (refusal) return;
    // The change is told against what the person began with, so that others' changes since are merged.
    // A draft of an earlier text has no version that would do: 0 is stale, so the two are put together.
    const version = detail && detail.body === base ? detail.version : 0;
    if (draft.text !== base)
      setFields({ slug, project }, [{ ...card, body: base, version }], { body: draft.text });
    draft.clear();
    onDone();
  };
  const discard = () => {
    draft.clear();
    onDone();
  };
  if (!draft.ready) return null;
  return (
    <section aria-label={t('description')} className={styles.section}>
      {draft.recovered && draft.text !== detail?.body && (
        <Banner
          kind="info"
          action={
            <Button size="small" kind="ghost" onClick={discard}>
              {t('discard')}
            </Button>
          }
        >
          {t('recovered')}
        </Banner>
      )}
      {detail && detail.body !== base && <Banner kind="warn">{t('newer')}</Banner>}
      <MarkdownEditor
        render={(text) => renderText(slug, text)}
        names={names}
        label={t('description')}
        autoFocus
        rows={8}
        value={draft.text}
        onChange={draft.write}
        onSubmit={save}
        onCancel={onDone}
        onFile={upload}
        {...naming}
      />
      <UploadRows uploads={uploads} />
      <div className={styles.formFoot}>
        <Button kind="primary" size="small" refusal={refusal} data-tip-keys="mod+enter" onClick={save}>
          {t('save')}
        </Button>
        <Button kind="ghost" size="small" onClick={discard}>
          {t('cancel')}
        </Button>
        <TextLength text={draft.text} most={MOST.body} />
      </div>
    </section>
  );
}
