import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { useSearchParams } from '@/app/params';
import { renderText } from '@/data/render';
import { pageQuery } from '@/data/wiki';
import { useNames } from '@/items/useNames';
import { lazyPart } from '@/lib/parts';
import { useDraft } from '@/store/drafts';
import { useProject } from '@/store/hooks';
import { mergeText } from '@/store/merge';
import { Button } from '@/ui/Button';
import type { TextConflict } from '@/ui/ConflictView';
import { MarkdownEditor } from '@/ui/MarkdownEditor';
import { Banner, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
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
  const [begun] = useState(page);
  const draft = useDraft(`wiki/${slug}/${project}/${page.id}`, begun.body);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<TextConflict>();
  const base = draft.base ?? begun.body;

  const done = () => {
    draft.clear();
    change({ edit: '' });
  };
  const write = async (text: string, version: number) => {
    await writePage(slug, project, page.path, text, version);
    toast(t('saved'));
    done();
  };
  const attempt = async (text: string) => {
    try {
      await write(text, begun.version);
    } catch (problem) {
      if (!isProblem(problem, 'stale-version')) throw problem;
      const now = await client.fetchQuery({ ...pageQuery(slug, project, page.path), staleTime: 0 });
      const merged = mergeText(base, text, now.body);
      if ('text' in merged) await write(merged.text, now.version);
      else
        setConflict({
          base,
          mine: text,
          theirs: now.body,
          save: (chosen) => void run(() => write(chosen, now.version)),
        });
    }
  };
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await work().catch(setError);
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
