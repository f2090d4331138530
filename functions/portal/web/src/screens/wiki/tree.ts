/** The tree of pages out of the service's flat list, and the steps that arrow keys take in it. Pure. */
import type { WikiEntry } from '@/data/wiki';

export interface Node {
  entry: WikiEntry;
  level: number;
  hasChildren: boolean;
  /** Path of the page above; empty at the top. */
  parent: string;
}

/** The visible rows: each page before those below it, what is below a folded one left out. */
export function visibleNodes(entries: readonly WikiEntry[], folded: ReadonlySet<string>): Node[] {
  const paths = new Set(entries.map((entry) => entry.path));
  const withChildren = new Set(entries.map((entry) => nearest(entry.path, paths)).filter(Boolean));
  const nodes: Node[] = [];
  for (const entry of entries) {
    const above = ancestors(entry.path, paths);
    if (above.some((path) => folded.has(path))) continue;
    nodes.push({
      entry,
      level: above.length + 1,
      hasChildren: withChildren.has(entry.path),
      parent: above.at(-1) ?? '',
    });
  }
  return nodes;
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of the page above; empty at the top. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

/** Whether a page is one of the Factory's, with playbooks' instructions. */
export function isFactory(path: string): boolean {
  return path.toLowerCase() === 'factory' || path.toLowerCase().startsWith('factory/');
}

function ancestors(path: string, known: ReadonlySet<string>): string[] {
  const above: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const ancestor = path.slice(0, at);
    if (known.has(ancestor)) above.push(ancestor);
  }
  return above;
}

function nearest(path: string, known: ReadonlySet<string>): string {
  return ancestors(path, known).at(-1) ?? '';
}

export type Step = { focus: number } | { fold: string; to: boolean } | undefined;

/** What a key does at a row, after the pattern of a tree: arrows, Home, End. */
export function step(nodes: readonly Node[], at: number, key: string, folded: ReadonlySet<string>): Step {
  const node = nodes[at];
  if (!node) return undefined;
  const { path } = node.entry;
  switch (key) {
    case 'ArrowDown':
      return { focus: Math.min(nodes.length - 1, at + 1) };
    case 'ArrowUp':
      return { focus: Math.max(0, at - 1) };
    case 'Home':
      return { focus: 0 };
    case 'End':
      return { focus: nodes.length - 1 };
    case 'ArrowRight':
      if (!node.hasChildren) return undefined;
      return folded.has(path) ? { fold: path, to: false } : { focus: at + 1 };
    case 'ArrowLeft': {
      if (node.hasChildren && !folded.has(path)) return { fold: path, to: true };
      const above = nodes.findIndex((candidate) => candidate.entry.path === node.parent);
      return above >= 0 ? { focus: above } : undefined;
    }
    default:
      return undefined;
  }
}
