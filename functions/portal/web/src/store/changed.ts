/** Reads again what is shown of what changed: the organization's stream names it, and queries have it. */
import type { QueryKey } from '@tanstack/react-query';
import type { Change, OrgChanges } from '@/api/types';
import { heard } from './organization';
import { pendingWrites } from './outbox';
import { queries } from './queries';

/** Changes come in bursts; what they touch is read once. */
const TOGETHER = 300;

/** The queries that show something of a kind, by the first parts of their keys. */
export function keysOf(slug: string, { kind, project, item, id }: Change): QueryKey[] {
  switch (kind) {
    case 'organization':
    case 'access':
      return [['me'], ['projects', slug], ['project', slug], ['can', slug], ['item', slug]];
    // Of all organizations.
    case 'inbox':
      return [['inbox']];
    case 'members':
    case 'invitations':
    case 'agents':
      return [[kind, slug]];
    // What budgets there are is told with the runners, which they hold back.
    case 'runners':
      return [
        ['runners', slug],
        ['budgets', slug],
      ];
    case 'views':
      return [project ? ['views', slug, project] : ['org-views', slug]];
    case 'codeHosts':
      return [['code-host', slug]];
    case 'project':
      return [
        ['projects', slug],
        ['project', slug, project],
        ['can', slug, project],
        ['item', slug],
      ];
    case 'projectMembers':
      return [
        ['project-members', slug, project],
        ['can', slug, project],
        ['item', slug],
      ];
    case 'rules':
      return [
        ['rules', slug, project],
        ['rule-firings', slug, project],
      ];
    case 'factorySettings':
      return [['factory-settings', slug, project]];
    case 'refinementSettings':
      return [['refinement-settings', slug, project]];
    case 'sprint':
      return [
        ['sprints', slug, project],
        ['sprint', slug, id],
      ];
    case 'comment':
      return [
        ['comments', slug, item],
        ['work', slug, 'activity'],
        ['history', slug, item],
        ['mentions', slug, item],
      ];
    case 'attachments':
    case 'watchers':
    case 'refinement':
      return [[kind, slug, item]];
    case 'run':
      return [
        ['runs', slug],
        ['budgets', slug],
        ['run', slug, id],
        ['project-runs', slug, project],
        ['item-runs', slug, item],
        ['mentions', slug, item],
      ];
    case 'page':
      return [['wiki', slug, project]];
    default:
      return [[kind, slug, project]];
  }
}

/** The queries that show something of items: pages of items and lists of work. */
function keysOfItems(slug: string, changes: OrgChanges): QueryKey[] {
  // A page of an item reads it again when its card has a newer version.
  const items = [...changes.items.map(({ key }) => key), ...changes.removed];
  if (items.length === 0) return [];
  return [
    ['work', slug],
    ['filter', slug],
    ['deleted-items', slug],
    ['milestones', slug],
    ...items.map((key) => ['history', slug, key]),
    ...changes.removed.map((key) => ['item', slug, key]),
  ];
}

const waiting = new Map<string, QueryKey>();

function readAgain(keys: readonly QueryKey[]): void {
  if (waiting.size === 0 && keys.length > 0) setTimeout(flush, TOGETHER);
  for (const key of keys) waiting.set(JSON.stringify(key), key);
}

function flush(): void {
  const due = [...waiting.values()];
  waiting.clear();
  for (const queryKey of due) void queries.invalidateQueries({ queryKey });
}

/** Listens until the answered function is called. */
export function watchChanges(): () => void {
  const changes = heard.on('changes', ({ slug, changes }) => {
    // What this browser has not sent yet is shown in the list of comments, and the list is read again when it is sent.
    const unsent = pendingWrites() > 0;
    const shown = changes.changed.filter(({ kind }) => !(unsent && kind === 'comment'));
    readAgain([...keysOfItems(slug, changes), ...shown.flatMap((change) => keysOf(slug, change))]);
  });
  const gap = heard.on('gap', ({ slug, first }) => {
    if (first) return;
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] === slug || queryKey[0] === 'inbox',
    });
  });
  return () => {
    changes();
    gap();
  };
}
