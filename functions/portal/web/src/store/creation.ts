/** The draft of a new item: its title and its description as texts, the other fields as one. Survives the tab. */
import type { ItemType, NewItem, Priority } from '@/api/types';
import { draftText, giveDraft, returnDraft } from './drafts';

/** What the dialog asks for besides title and description. */
export interface CreationFields {
  type: ItemType;
  template: string;
  state: string | undefined;
  priority: Priority;
  assignee: string;
  /** As they are typed, separated by commas. */
  labels: string;
  due: string | undefined;
  parent: string | undefined;
  sprint: string | undefined;
  milestone: string | undefined;
  estimate: number | undefined;
}

export const FIRST_FIELDS: CreationFields = {
  type: 'task',
  template: '',
  state: undefined,
  priority: 'medium',
  assignee: '',
  labels: '',
  due: undefined,
  parent: undefined,
  sprint: undefined,
  milestone: undefined,
  estimate: undefined,
};

/** Names of the drafts of a project's next item. */
export function creationDrafts(slug: string, project: string) {
  const part = (name: string) => `create/${slug}/${project}/${name}`;
  return { title: part('title'), body: part('body'), fields: part('fields') };
}

/** The fields as a draft holds them; nothing where there is none, or one that cannot be read. */
export function readFields(text: string): Partial<CreationFields> {
  try {
    const read: unknown = JSON.parse(text || '{}');
    return typeof read === 'object' && read !== null ? (read as Partial<CreationFields>) : {};
  } catch {
    return {};
  }
}

/** The labels of a draft. */
export function labelsOf({ labels }: Pick<CreationFields, 'labels'>): string[] {
  return labels
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean);
}

export function writeFields(fields: CreationFields): string {
  return JSON.stringify(fields);
}

/**
 * Takes what is written to another project. What only the first one has (state, template, labels, parent, sprint, milestone) stays behind; a
 * draft of the other one is kept where nothing was written here.
 */
export function moveCreation(
  slug: string,
  from: string,
  to: string,
  { title, body, fields }: { title: string; body: string; fields: CreationFields },
): void {
  if (from === to) return;
  const drafts = creationDrafts(slug, to);
  const { type, priority, assignee, due, estimate } = fields;
  if (title.trim()) giveDraft(drafts.title, title);
  if (body.trim()) giveDraft(drafts.body, body);
  giveDraft(drafts.fields, writeFields({ ...FIRST_FIELDS, type, priority, assignee, due, estimate }));
}

/**
 * Makes a draft again of an item that the service refused. When the next one is being written already, the refused
 * texts go below its description.
 */
export async function returnCreation(slug: string, project: string, item: NewItem): Promise<void> {
  const drafts = creationDrafts(slug, project);
  const body = item.body ?? '';
  const next = await draftText(drafts.title);
  if (next && next !== item.title) {
    await returnDraft(drafts.body, `${item.title}\n\n${body}`.trim());
    return;
  }
  const { type, priority, state, assignee, labels, due, parent, sprint, milestone, estimate } = item;
  const fields: CreationFields = {
    ...FIRST_FIELDS,
    type,
    priority: priority ?? FIRST_FIELDS.priority,
    state: state ?? undefined,
    assignee: assignee ?? '',
    labels: (labels ?? []).join(', '),
    due: due ?? undefined,
    parent: parent ?? undefined,
    sprint: sprint ?? undefined,
    milestone: milestone ?? undefined,
    estimate: estimate ?? undefined,
  };
  giveDraft(drafts.title, item.title);
  giveDraft(drafts.body, body);
  giveDraft(drafts.fields, writeFields(fields));
}
