import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { StateGroup, Workflow as Stored } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { workflowQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField } from '@/ui/Field';
import { StateGlyph } from '@/ui/glyphs';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { SaveRow } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { added, type Draft, draftOf, moveKey, rearranged, request } from './draft';
import type { OfProject } from './section';
import { t } from './strings';

const GROUPS: StateGroup[] = ['backlog', 'active', 'resolved', 'closed'];

/** States and the moves between them. */
export default function Workflow({ slug, project, frozen }: OfProject) {
  const { data: workflow, error, refetch } = useQuery(workflowQuery(slug, project));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!workflow) return <Skeleton label={common('loading')} rows={6} />;
  return (
    <WorkflowForm key={workflow.version} slug={slug} project={project} workflow={workflow} frozen={frozen} />
  );
}

function WorkflowForm({
  slug,
  project,
  workflow,
  frozen,
}: {
  slug: string;
  project: string;
  workflow: Stored;
  frozen: string | undefined;
}) {
  const [draft, setDraft] = useState(() => draftOf(workflow));
  const sent = request(draft, workflow.version);
  const changed = JSON.stringify(sent) !== JSON.stringify(request(draftOf(workflow), workflow.version));
  const sending = useSending(async () => {
    await data(
      http.PUT('/api/v1/orgs/{slug}/projects/{key}/workflow', {
        params: { path: { slug, key: project } },
        body: sent,
      }),
    );
    await refresh(['workflow', slug, project]);
    toast(common('saved'));
  });
  const wrong = [
    ...(sending.errorsOf('states') ?? []),
    ...(sending.errorsOf('moves') ?? []),
    ...(sending.errorsOf('moveItems') ?? []),
  ];
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <Section title={t('states')} about={t('statesAbout')}>
        <States draft={draft} setDraft={setDraft} />
      </Section>
      <Section title={t('moves')} about={t('movesAbout')}>
        <Matrix draft={draft} setDraft={setDraft} />
      </Section>
      {draft.removed.map(({ name, to }) => (
        <Banner key={name} kind="warn">
          {t('removedState', { name: plain(name), to: plain(to) })}
        </Banner>
      ))}
      {wrong.length > 0 && <Banner kind="bad">{wrong.join(' ')}</Banner>}
      <SaveRow sending={sending} changed={changed} frozen={frozen} />
    </form>
  );
}

interface DraftProps {
  draft: Draft;
  setDraft: (draft: Draft) => void;
}

function States({ draft, setDraft }: DraftProps) {
  const [removing, setRemoving] = useState<number>();
  const { states } = draft;
  const set = (at: number, change: Partial<Draft['states'][number]>) =>
    setDraft({
      ...draft,
      states: states.map((state, position) => (position === at ? { ...state, ...change } : state)),
    });
  const shift = (at: number, by: number) => {
    const order = states.map((_, position) => position);
    order.splice(at + by, 0, ...order.splice(at, 1));
    setDraft(rearranged(draft, order));
  };
  const remove = (at: number, to: string | undefined) => {
    const { was } = states[at] ?? {};
    const kept = rearranged(
      draft,
      states.map((_, position) => position).filter((position) => position !== at),
    );
    setDraft(
      was !== undefined && to !== undefined
        ? { ...kept, removed: [...kept.removed, { name: was, to }] }
        : kept,
    );
    setRemoving(undefined);
  };
  return (
    <>
      <ol className={styles.states}>
        {states.map((state, at) => (
          <li key={at} className={styles.stateRow}>
            <StateGlyph group={state.group} />
            <input
              className={styles.input}
              aria-label={t('stateName', { n: at + 1 })}
              required
              maxLength={40}
              value={state.name}
              onChange={(event) => set(at, { name: event.target.value })}
            />
            <select
              className={styles.choice}
              aria-label={t('groupOf', { name: state.name })}
              value={state.group}
              onChange={(event) => set(at, { group: event.target.value as StateGroup })}
            >
              {GROUPS.map((group) => (
                <option key={group} value={group}>
                  {t(`group_${group}` as 'group_backlog')}
                </option>
              ))}
            </select>
            <input
              className={`${styles.input} ${styles.limit}`}
              type="number"
              min={1}
              max={9999}
              aria-label={t('limitOf', { name: state.name })}
              data-tip={t('limitAbout')}
              placeholder={t('limit')}
              value={state.limit}
              onChange={(event) => set(at, { limit: event.target.value })}
            />
            <span className={styles.tools}>
              <IconButton
                icon={ArrowUp}
                size="small"
                label={t('up', { name: state.name })}
                refusal={at === 0 ? t('first') : undefined}
                onClick={() => shift(at, -1)}
              />
              <IconButton
                icon={ArrowDown}
                size="small"
                label={t('down', { name: state.name })}
                refusal={at === states.length - 1 ? t('last') : undefined}
                onClick={() => shift(at, 1)}
              />
              <IconButton
                icon={Trash2}
                size="small"
                label={t('removeState', { name: state.name })}
                refusal={states.length < 2 ? t('onlyState') : undefined}
                onClick={() => (state.was === undefined ? remove(at, undefined) : setRemoving(at))}
              />
            </span>
          </li>
        ))}
      </ol>
      <div>
        <Button size="small" icon={Plus} onClick={() => setDraft(added(draft, t('newState'), 'active'))}>
          {t('addState')}
        </Button>
      </div>
      {removing !== undefined && (
        <RemoveState
          draft={draft}
          at={removing}
          onClose={() => setRemoving(undefined)}
          remove={(to) => remove(removing, to)}
        />
      )}
    </>
  );
}

/** Asks where the items of a removed state go. */
function RemoveState({
  draft,
  at,
  onClose,
  remove,
}: {
  draft: Draft;
  at: number;
  onClose: () => void;
  remove: (to: string) => void;
}) {
  const others = draft.states.filter((_, position) => position !== at).map((state) => state.name);
  const [to, setTo] = useState(others[0] ?? '');
  const name = draft.states[at]?.name ?? '';
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('removeState', { name: plain(name) })}
      foot={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="danger" onClick={() => remove(to)}>
            {t('remove')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('itemsGoTo')}
        hint={t('itemsGoToHint')}
        value={to}
        onChange={(event) => setTo(event.target.value)}
      >
        {others.map((state) => (
          <option key={state} value={state}>
            {state}
          </option>
        ))}
      </SelectField>
    </Dialog>
  );
}

function Matrix({ draft, setDraft }: DraftProps) {
  const toggle = (key: string) => {
    const moves = new Set(draft.moves);
    if (!moves.delete(key)) moves.add(key);
    setDraft({ ...draft, moves });
  };
  const names = draft.states.map((state) => plain(state.name));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section className={styles.matrixBox} aria-label={t('movesTable')} tabIndex={0}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">{t('fromTo')}</th>
            {names.map((name, at) => (
              <th key={`${at} ${name}`} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((from, row) => (
            <tr key={`${row} ${from}`}>
              <th scope="row">{from}</th>
              {names.map((to, column) => (
                <td key={`${column} ${to}`}>
                  {row === column ? (
                    <span className={styles.self} aria-hidden>
                      ·
                    </span>
                  ) : (
                    <input
                      type="checkbox"
                      aria-label={t('moveFromTo', { from, to })}
                      checked={draft.moves.has(moveKey(row, column))}
                      onChange={() => toggle(moveKey(row, column))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
