import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { ItemType, NewItem, Priority } from '@/api/types';
import { useAccess } from '@/app/access';
import type { CreatePreset } from '@/app/overlays';
import { useMe } from '@/data/me';
import { projectMembersQuery, projectQuery, templatesQuery, workflowQuery } from '@/data/projects';
import { renderText } from '@/data/render';
import { plain } from '@/lib/text';
import { giveDraft, useDraft } from '@/store/drafts';
import type { Card } from '@/store/feed';
import { createItem, itemEvents } from '@/store/kinds/item';
import { graphOf } from '@/store/live';
import { between } from '@/store/rank';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { PRIORITY_ORDER, priorityName, typeName } from '@/ui/glyphs';
import { MarkdownEditor } from '@/ui/MarkdownEditor';
import { toast, toastProblem } from '@/ui/toasts';
import styles from './create.module.css';
import { t } from './strings';

interface CreateProps {
  slug: string;
  project: string;
  preset?: CreatePreset;
  onClose: () => void;
}

const TYPES: ItemType[] = ['task', 'story', 'bug', 'epic'];

/** Creates an item. The draft of title and description survives the tab. */
export default function Create({ slug, project, preset = {}, onClose }: CreateProps) {
  const me = useMe();
  const access = useAccess(slug, project);
  const navigate = useNavigate();
  const { data: about } = useQuery(projectQuery(slug, project));
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const { data: members } = useQuery(projectMembersQuery(slug, project));
  const { data: templates } = useQuery(templatesQuery(slug, project));
  const title = useDraft(`create/${slug}/${project}/title`);
  const body = useDraft(`create/${slug}/${project}/body`);
  const [type, setType] = useState<ItemType>('task');
  const [template, setTemplate] = useState('');
  const [state, setState] = useState(preset.state);
  const [priority, setPriority] = useState<Priority>((preset.priority as Priority | undefined) ?? 'medium');
  const [assignee, setAssignee] = useState(preset.assignee ?? '');
  const [labels, setLabels] = useState((preset.labels ?? []).join(', '));
  const [count, setCount] = useState(0);
  const offered = (templates ?? []).filter((candidate) => candidate.type === type);

  const choose = (id: string) => {
    setTemplate(id);
    const chosen = templates?.find((candidate) => candidate.id === id);
    if (!chosen) return;
    if (!body.text.trim()) body.write(chosen.body);
    if (chosen.priority) setPriority(chosen.priority);
    if (chosen.labels.length > 0) setLabels(chosen.labels.join(', '));
  };
  const item = (): NewItem => ({
    type,
    title: title.text.trim(),
    body: body.text,
    priority,
    labels: labels
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
    ...(state ? { state } : {}),
    ...(assignee ? { assignee } : {}),
    ...(preset.parent ? { parent: preset.parent } : {}),
  });
  const shown = (made: NewItem): Card => {
    const now = new Date().toISOString();
    const first = workflow?.states.find((candidate) => candidate.name === made.state) ?? workflow?.states[0];
    const person = members?.find((member) => member.userId === assignee);
    const name = assignee === me.id ? me.displayName : (person?.displayName ?? '');
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
      estimate: null,
      remaining: null,
      assignee: assignee ? { id: assignee, name, agent: false } : null,
      parent: preset.parent ?? null,
      sprint: null,
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
    setTemplate('');
    if (another) setCount(count + 1);
    else onClose();
  };
  const submit = (another: boolean, start = false) => {
    if (!title.text.trim()) return;
    const made = item();
    const card = shown(made);
    const off = itemEvents.on('created', ({ temporary, card: real }) => {
      if (temporary !== card.key) return;
      off();
      const open = () =>
        void navigate({ to: '/o/$slug/p/$project/items/$item', params: { slug, project, item: real.key } });
      toast(t('created', { key: real.key }), { action: { label: t('open'), run: open } });
      if (start) void begin(slug, real.key);
    });
    // What the service refuses is not lost: the texts are drafts again.
    const refused = itemEvents.on('refused', ({ key }) => {
      if (key !== card.key) return;
      refused();
      giveDraft(`create/${slug}/${project}/title`, made.title);
      giveDraft(`create/${slug}/${project}/body`, made.body ?? '');
    });
    createItem(`${slug}/${card.key}`, { slug, project, temporary: card.key, card, body: made });
    finish(another);
  };
  const refusal = title.text.trim() ? access.frozen : t('need');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('title', { project: plain(about?.name ?? project) })}
      foot={
        <>
          {access.operate && (
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
        onSubmit={(event) => {
          event.preventDefault();
          submit(false);
        }}
      >
        <TextField
          label={t('name')}
          autoFocus
          maxLength={300}
          placeholder={t('placeholder')}
          value={title.text}
          onChange={(event) => title.write(event.target.value)}
          onKeyDown={(event) => (event.metaKey || event.ctrlKey) && event.key === 'Enter' && submit(false)}
        />
        <div>
          <span className={styles.label}>{t('description')}</span>
          <MarkdownEditor
            render={(text) => renderText(slug, text)}
            label={t('description')}
            rows={5}
            value={body.text}
            onChange={body.write}
            onSubmit={() => submit(false)}
          />
        </div>
        <div className={styles.fields}>
          <SelectField
            label={t('type')}
            value={type}
            onChange={(event) => setType(event.target.value as ItemType)}
          >
            {TYPES.map((value) => (
              <option key={value} value={value}>
                {typeName(value)}
              </option>
            ))}
          </SelectField>
          {offered.length > 0 && (
            <SelectField
              label={t('template')}
              value={template}
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">{t('noTemplate')}</option>
              {offered.map(({ id, name }) => (
                <option key={id} value={id}>
                  {plain(name)}
                </option>
              ))}
            </SelectField>
          )}
          <SelectField
            label={t('state')}
            value={state ?? workflow?.states[0]?.name}
            onChange={(event) => setState(event.target.value)}
          >
            {(workflow?.states ?? []).map(({ name }) => (
              <option key={name} value={name}>
                {plain(name)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('priority')}
            value={priority}
            onChange={(event) => setPriority(event.target.value as Priority)}
          >
            {PRIORITY_ORDER.map((value) => (
              <option key={value} value={value}>
                {priorityName(value)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('assignee')}
            value={assignee}
            onChange={(event) => setAssignee(event.target.value)}
          >
            <option value="">{t('nobody')}</option>
            <option value={me.id}>{t('me', { name: plain(me.displayName) })}</option>
            {(members ?? [])
              .filter((member) => member.userId !== me.id)
              .map((member) => (
                <option key={member.userId} value={member.userId}>
                  {plain(member.displayName)}
                </option>
              ))}
          </SelectField>
          <TextField
            label={t('labels')}
            placeholder={t('labelsHint')}
            value={labels}
            onChange={(event) => setLabels(event.target.value)}
          />
        </div>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
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
