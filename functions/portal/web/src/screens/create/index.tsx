import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { data, http } from '@/api/client';
import { ProblemError } from '@/api/problem';
import type { NewItem, Priority } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { besides } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { type CreatePreset, show } from '@/app/overlays';
import { takeTyped } from '@/commands/ahead';
import { useMe } from '@/data/me';
import { projectQuery, projectsQuery, templatesQuery, workflowQuery } from '@/data/projects';
import { renderText } from '@/data/render';
import { useNameOf } from '@/items/options';
import { useNames } from '@/items/useNames';
import { isComposing } from '@/lib/composing';
import { MOST } from '@/lib/length';
import { plain } from '@/lib/text';
import {
  type CreationFields,
  creationDrafts,
  FIRST_FIELDS,
  labelsOf,
  moveCreation,
  readFields,
  writeFields,
} from '@/store/creation';
import { useDraft } from '@/store/drafts';
import type { Card } from '@/store/feed';
import { createItem, itemEvents } from '@/store/kinds/item';
import { graphOf } from '@/store/live';
import { between } from '@/store/rank';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { MarkdownEditor } from '@/ui/MarkdownEditor';
import { TextLength, tooLong } from '@/ui/TextLength';
import { toast, toastProblem } from '@/ui/toasts';
import styles from './create.module.css';
import { Fields } from './Fields';
import { t } from './strings';

interface CreateProps {
  slug: string;
  project: string;
  preset?: CreatePreset;
  /** Why the service refused what the dialog shows. */
  problem?: unknown;
  onClose: () => void;
}

/** Fields that show what is wrong with them. */
const FIELDS: ReadonlySet<string> = new Set(['title']);

/** Creates an item. Everything that is filled in survives the tab, and a refusal. */
export default function Create({ slug, project, preset = {}, problem, onClose }: CreateProps) {
  const me = useMe();
  const access = useItemAccess(slug, project);
  const navigate = useNavigate();
  const { data: about } = useQuery(projectQuery(slug, project));
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const nameOf = useNameOf({ slug, project });
  const { data: templates } = useQuery(templatesQuery(slug, project));
  const names = useNames(slug, project);
  const drafts = creationDrafts(slug, project);
  const title = useDraft(drafts.title);
  const body = useDraft(drafts.body);
  const { fields, change, clear: clearFields } = useFields(drafts.fields, preset);
  const { type, template, state, priority, assignee, due, parent, sprint, milestone, estimate } = fields;
  const labels = labelsOf(fields);
  const [count, setCount] = useState(0);
  const [refused, setRefused] = useState(problem);
  const errorsOf = (field: string) =>
    refused instanceof ProblemError ? refused.problem.errors?.[field] : undefined;
  const { data: projects } = useQuery(projectsQuery(slug));
  const others = (projects ?? []).filter(({ key, archived }) => !archived || key === project);
  const goTo = (next: string) => {
    moveCreation(slug, project, next, { title: title.text, body: body.text, fields });
    title.clear();
    body.clear();
    clearFields();
    show({ kind: 'create', slug, project: next });
  };
  const offered = (templates ?? []).filter((candidate) => candidate.type === type);

  const held = templates?.find((candidate) => candidate.id === template);
  /** Whether nothing of the description is the person's own. */
  const untouched = !body.text.trim() || body.text === held?.body;
  const choose = (id: string) => {
    const chosen = templates?.find((candidate) => candidate.id === id);
    change({
      template: id,
      ...(chosen?.priority && { priority: chosen.priority }),
      ...(chosen && chosen.labels.length > 0 && { labels: chosen.labels.join(', ') }),
    });
    if (untouched) body.write(chosen?.body ?? '');
  };
  const [only] = offered.length === 1 ? offered : [];
  const proposed = useRef(new Set<string>());
  useEffect(() => {
    if (!title.ready || !body.ready || !templates) return;
    if (held && held.type !== type) {
      if (untouched) body.write('');
      proposed.current.clear();
      change({ template: '' });
    } else if (only && !proposed.current.has(only.id)) {
      // The only template of a type is what its items begin with, until it is put away.
      proposed.current.add(only.id);
      if (untouched && !template) choose(only.id);
    }
  });
  const item = (): NewItem => ({
    type,
    title: title.text.trim(),
    body: body.text,
    priority,
    labels,
    ...(state ? { state } : {}),
    ...(assignee ? { assignee } : {}),
    ...(due ? { due } : {}),
    ...(parent ? { parent } : {}),
    ...(sprint ? { sprint } : {}),
    ...(milestone ? { milestone } : {}),
    ...(estimate !== undefined ? { estimate } : {}),
  });
  const shown = (made: NewItem): Card => {
    const now = new Date().toISOString();
    const first = workflow?.states.find((candidate) => candidate.name === made.state) ?? workflow?.states[0];
    return {
      key: `~${crypto.randomUUID()}`,
      version: 0,
      type,
      title: made.title,
      body: '',
      state: first?.name ?? '',
      stateGroup: first?.group ?? 'backlog',
      priority,
      labels: made.labels ?? [],
      estimate: estimate ?? null,
      remaining: null,
      assignee: assignee ? { id: assignee, name: nameOf(assignee), agent: false } : null,
      ...(due ? { due } : {}),
      parent: parent ?? null,
      sprint: sprint ?? null,
      ...(milestone ? { milestone } : {}),
      claim: null,
      links: [],
      blocked: false,
      createdBy: { id: me.id, name: me.displayName, agent: false },
      createdAt: now,
      updatedAt: now,
      rank: between(graphOf(slug, project).cards().at(-1)?.rank, undefined),
    };
  };
  const finish = (another: boolean) => {
    title.clear();
    body.clear();
    setRefused(undefined);
    if (another) {
      change({ template: '' });
      proposed.current.clear();
      setCount(count + 1);
    } else {
      clearFields();
      onClose();
    }
  };
  const close = () => {
    // Fields alone are no draft: the next item would begin with what was chosen for another.
    if (!title.text.trim() && untouched) {
      body.clear();
      clearFields();
    }
    onClose();
  };
  const refusal = title.text.trim()
    ? (access.frozen ?? tooLong(title.text.trim(), MOST.title) ?? tooLong(body.text, MOST.body))
    : t('need');
  const submit = (another: boolean, start = false) => {
    if (refusal) return;
    const made = item();
    const card = shown(made);
    const off = itemEvents.on('created', ({ temporary, card: real }) => {
      if (temporary !== card.key) return;
      forget();
      const open = () =>
        void navigate({ to: '/o/$slug/p/$project/items/$item', params: { slug, project, item: real.key } });
      toast(t('created', { key: real.key }), { action: { label: t('open'), run: open } });
      if (start) void begin(slug, real.key);
    });
    const gone = itemEvents.on('uncreated', ({ creation }) => creation.temporary === card.key && forget());
    const forget = () => {
      off();
      gone();
    };
    createItem(`${slug}/${card.key}`, { slug, project, temporary: card.key, card, body: made });
    finish(another);
  };
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={t('title', { project: plain(about?.name ?? project) })}
      foot={
        <>
          {access.start && (
            <Button
              kind="agent"
              refusal={refusal}
              onClick={() => submit(false, true)}
              className={styles.start ?? ''}
            >
              {t('start')}
            </Button>
          )}
          <Button refusal={refusal} onClick={() => submit(true)}>
            {t('another')}
          </Button>
          <Button kind="primary" refusal={refusal} data-tip-keys="mod+enter" onClick={() => submit(false)}>
            {t('create')}
          </Button>
        </>
      }
    >
      <form
        key={count}
        className={styles.form}
        onKeyDown={(event) => {
          // The editor answers it by itself.
          if (event.defaultPrevented || isComposing(event.nativeEvent)) return;
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          submit(false);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          submit(false);
        }}
      >
        {others.length > 1 && (
          <SelectField label={t('project')} value={project} onChange={(event) => goTo(event.target.value)}>
            {others.map(({ key, name }) => (
              <option key={key} value={key}>
                {plain(name)}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t('name')}
          autoFocus
          maxLength={MOST.title}
          errors={errorsOf('title')}
          placeholder={t('placeholder')}
          value={title.text}
          onFocus={() => {
            const typed = takeTyped();
            if (typed) title.write(title.text + typed);
          }}
          onChange={(event) => title.write(event.target.value)}
        />
        <div>
          <span className={styles.label}>{t('description')}</span>
          <MarkdownEditor
            render={(text) => renderText(slug, text)}
            names={names}
            label={t('description')}
            rows={5}
            value={body.text}
            onChange={body.write}
            onSubmit={() => submit(false)}
          />
          <TextLength text={body.text} most={MOST.body} />
        </div>
        <Fields
          slug={slug}
          project={project}
          fields={fields}
          change={change}
          templates={offered}
          onTemplate={choose}
          errorsOf={errorsOf}
        />
        <FormProblem error={besides(refused, FIELDS)} />
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** The fields besides the texts: as the dialog was opened, until one is chosen; then as they are kept. */
function useFields(id: string, { labels, priority, ...preset }: CreatePreset) {
  const draft = useDraft(id);
  const [chosen, setChosen] = useState(false);
  const begun = {
    ...preset,
    ...(priority && { priority: priority as Priority }),
    ...(labels && { labels: labels.join(', ') }),
  };
  const given = Object.entries(chosen ? {} : begun).filter(([, value]) => value !== undefined);
  const fields: CreationFields = {
    ...FIRST_FIELDS,
    ...readFields(draft.text),
    ...Object.fromEntries(given),
  };
  const change = (some: Partial<CreationFields>) => {
    setChosen(true);
    draft.write(writeFields({ ...fields, ...some }));
  };
  return { fields, change, clear: draft.clear };
}

async function begin(slug: string, key: string): Promise<void> {
  try {
    await data(
      http.POST('/api/v1/orgs/{slug}/items/{key}/runs', { params: { path: { slug, key } }, body: {} }),
    );
  } catch (error) {
    toastProblem(error);
  }
}
