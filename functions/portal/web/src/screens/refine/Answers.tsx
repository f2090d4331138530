import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import type { Refinement } from '@/data/refinement';
import { plain } from '@/lib/text';
import { useDraft } from '@/store/drafts';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import type { TurnProps } from './props';
import styles from './refine.module.css';
import { t } from './strings';

/** The agent's questions as a form. What is written is kept as a draft. */
export function Answers({
  slug,
  item,
  refinement,
  write: mayWrite,
  frozen,
}: TurnProps & { refinement: Refinement }) {
  const draft = useDraft(`refine/${slug}/${item.key}/${refinement.run}`);
  const written = readDraft(draft.text);
  const write = (change: Partial<Written>) => draft.write(JSON.stringify({ ...written, ...change }));
  const { questions, version, agent } = refinement;
  const given = questions
    .map(({ number }) => ({ question: number, answer: (written.answers[number] ?? '').trim() }))
    .filter(({ answer }) => answer !== '');
  const said = written.note.trim();
  const sending = useSending(async () => {
    const params = { path: { slug, key: item.key } };
    const body = { version, answers: given, ...(said ? { note: said } : {}) };
    const call = http.POST('/api/v1/orgs/{slug}/items/{key}/refinement/answers', { params, body });
    await data(call).catch(async (error: unknown) => {
      if (isProblem(error, 'stale-version')) await refresh(['refinement', slug, item.key]);
      throw error;
    });
    draft.clear();
    await refresh(['refinement', slug, item.key], ['item-runs', slug, item.key]);
  });
  const wrong = sending.errorsOf('answers');
  const refusal = frozen ?? (given.length === 0 && said === '' ? t('noAnswer') : undefined);
  return (
    <form className={`${styles.turn} ${form.form}`} data-agent onSubmit={sending.onSubmit}>
      <h2 className={styles.heading}>{t('questions', { n: questions.length, agent: plain(agent.name) })}</h2>
      {questions.map(({ number, question }) => (
        <TextArea
          key={number}
          label={question}
          rows={2}
          maxLength={10_000}
          disabled={!mayWrite || !draft.ready}
          value={written.answers[number] ?? ''}
          onChange={(event) => write({ answers: { ...written.answers, [number]: event.target.value } })}
        />
      ))}
      {mayWrite && (
        <>
          <TextArea
            label={t('note')}
            hint={t('answersHint')}
            rows={2}
            maxLength={10_000}
            value={written.note}
            errors={sending.errorsOf('note')}
            onChange={(event) => write({ note: event.target.value })}
          />
          {wrong && <p role="alert">{wrong.join(' ')}</p>}
          {sending.error !== undefined && <ProblemPanel error={sending.error} />}
          <div className={styles.foot}>
            <Button type="submit" kind="primary" busy={sending.busy} refusal={refusal}>
              {t('answer')}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}

/** The draft of a form: a note, and answers by the number of their question. */
interface Written {
  note: string;
  answers: Record<number, string>;
}

function readDraft(text: string): Written {
  try {
    return { note: '', answers: {}, ...(JSON.parse(text) as Partial<Written>) };
  } catch {
    return { note: '', answers: {} };
  }
}
