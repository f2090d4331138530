import { useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import type { Refinement } from '@/data/refinement';
import { refinementSettingsQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { useDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import type { TurnProps } from './props';
import styles from './refine.module.css';
import { t } from './strings';

/** A proposal that waits: it is confirmed, or sent back with a note. */
export function Decide(props: TurnProps & { refinement: Refinement }) {
  const { slug, project, item, refinement, write, frozen } = props;
  const { data: settings } = useQuery(refinementSettingsQuery(slug, project));
  const state = settings?.refinedState ?? undefined;
  const confirming = useSending(async () => {
    const params = { path: { slug, key: item.key } };
    const body = { version: refinement.version, itemVersion: refinement.itemVersion };
    const call = http.POST('/api/v1/orgs/{slug}/items/{key}/refinement/confirm', { params, body });
    await again(slug, item.key, data(call));
    toast(t('confirmed'));
  });
  return (
    <section className={styles.turn} data-agent>
      <h2 className={styles.heading}>{t('proposed', { agent: plain(refinement.agent.name) })}</h2>
      {write && (
        <>
          <p className={styles.about}>
            {state ? t('confirmAbout', { state: plain(state) }) : t('confirmStays')}
          </p>
          {confirming.error !== undefined && <ProblemPanel error={confirming.error} />}
          <div className={styles.foot}>
            <Button
              kind="primary"
              busy={confirming.busy}
              refusal={settings ? frozen : t('loading')}
              onClick={confirming.onSubmit}
            >
              {state ? t('confirmTo', { state: plain(state) }) : t('confirm')}
            </Button>
          </div>
          <Changes {...props} />
        </>
      )}
    </section>
  );
}

function Changes({ slug, item, refinement, frozen }: TurnProps & { refinement: Refinement }) {
  const draft = useDraft(`refine/${slug}/${item.key}/${refinement.run}/changes`);
  const note = draft.text.trim();
  const sending = useSending(async () => {
    const params = { path: { slug, key: item.key } };
    const body = { version: refinement.version, note };
    const call = http.POST('/api/v1/orgs/{slug}/items/{key}/refinement/changes', { params, body });
    await again(slug, item.key, data(call));
    draft.clear();
  });
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <TextArea
        label={t('changes')}
        rows={3}
        maxLength={10_000}
        value={draft.text}
        errors={sending.errorsOf('note')}
        onChange={(event) => draft.write(event.target.value)}
      />
      {sending.error !== undefined && <ProblemPanel error={sending.error} />}
      <div className={styles.foot}>
        <Button
          type="submit"
          busy={sending.busy}
          refusal={frozen ?? (note === '' ? t('noChanges') : undefined)}
        >
          {t('askChanges')}
        </Button>
      </div>
    </form>
  );
}

/** Reads anew what an answer changes; also after somebody was faster. */
async function again(slug: string, key: string, answer: Promise<unknown>): Promise<void> {
  const keys = ['refinement', 'item', 'item-runs', 'history'].map((kind) => [kind, slug, key]);
  await answer.catch(async (error: unknown) => {
    if (isProblem(error, 'stale-version')) await refresh(...keys);
    throw error;
  });
  await refresh(...keys);
}
