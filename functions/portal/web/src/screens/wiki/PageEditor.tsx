import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { useSearchParams } from '@/app/params';
import { renderText } from '@/data/render';
import { pageQuery } from '@/data/wiki';
import { useNames } from '@/items/useNames';
import { mergeText } from '@/lib/merge';
import { lazyPart } from '@/lib/parts';
import { useDraft } from '@/store/drafts';
import { useProject } from '@/store/hooks';
import { Button } from '@/ui/Button';
import type { TextConflict } from '@/ui/ConflictView';
import { MarkdownEditor } from '@/ui/MarkdownEditor';
import { Banner, ProblemPanel } from '@/ui/states';
import { toast, toastProblem } from '@/ui/toasts';
import { useSuggestions } from '../item/suggestions';
import { writePage } from './changes';
import type { OfPage } from './page';
import { t } from './strings';
import styles from './wiki.module.css';

const ConflictDialog = lazyPart(() => import('@/ui/ConflictView'));

/** Edits a page. The draft survives the tab; what others wrote meanwhile is merged by line, or asked about. */
export function PageEditor({ slug, project, page }: OfPage) {
  const [, change] = useSearchParams();
  const client = useQueryClient();
  const names = useNames(slug, project);
  const { graph } = useProject(slug, project);
  const access = useItemAccess(slug, project);
  const naming = useSuggestions({ slug, project, graph, access });
  const [opened] = useState(page);
  /** What the text was begun from: the page as it was opened, or as it was saved from here since. */
  const [begun, setBegun] = useState(page);
  const draft = useDraft(`wiki/${slug}/${project}/${page.id}`, opened.body);
  const latest = useRef(draft.text);
  latest.current = draft.text;
  const here = useHere();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<TextConflict>();
  const base = begun === opened ? (draft.base ?? opened.body) : begun.body;

  const done = () => {
    draft.clear();
    // Somebody who went on edits another page by now, perhaps.
    if (here.current) change({ edit: '' });
  };
  /** Saves a text: the one of the field, `mine`, or what became of it with what others wrote. */
  const write = async (text: string, version: number, mine: string) => {
    const saved = await writePage(slug, project, page.path, text, version);
    toast(t('saved'));
    if (latest.current === mine) return done();
    // More was typed meanwhile: it is still to be saved, and merged with what the field does not show.
    setBegun({ ...page, body: mine, version: text === mine ? saved.version : begun.version });
  };
  const attempt = async (text: string) => {
    try {
      await write(text, begun.version, text);
    } catch (problem) {
      if (!isProblem(problem, 'stale-version')) throw problem;
      const now = await client.fetchQuery({ ...pageQuery(slug, project, page.path), staleTime: 0 });
      const merged = mergeText(base, text, now.body);
      if ('text' in merged) await write(merged.text, now.version, text);
      else
        setConflict({
          base,
          mine: text,
          theirs: now.body,
          save: (chosen) => void run(() => write(chosen, now.version, text)),
        });
    }
  };
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await work().catch((problem) => (here.current ? setError(problem) : toastProblem(problem)));
    setBusy(false);
  };
  const save = () => void run(() => attempt(draft.text));
  const changed = draft.text !== begun.body;
  if (!draft.ready) return null;
  return (
    <div className={styles.editor}>
      {draft.recovered && <Banner kind="info">{t('recovered')}</Banner>}
      {page.version > begun.version && <Banner kind="warn">{t('newer')}</Banner>}
      <MarkdownEditor
        render={(text) => renderText(slug, text)}
        names={names}
        {...naming}
        label={t('text')}
        value={draft.text}
        onChange={draft.write}
        onSubmit={save}
        onCancel={() => !changed && done()}
        rows={20}
        autoFocus
      />
      {error !== undefined && <ProblemPanel error={error} />}
      <div className={styles.editorFoot}>
        <Button kind="primary" busy={busy} disabled={!changed} onClick={save}>
          {t('save')}
        </Button>
        <Button onClick={done}>{t(changed ? 'discard' : 'close')}</Button>
        <span className="meta">{t('draftHint')}</span>
      </div>
      {conflict && (
        <Suspense>
          <ConflictDialog conflict={conflict} onClose={() => setConflict(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

/** Whether this is still on the page. */
function useHere() {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
