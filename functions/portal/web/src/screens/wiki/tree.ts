/** The tree of pages out of the service's flat list, and the steps that arrow keys take in it. Pure. */
import type { WikiEntry } from '@/data/wiki';

export interface Node {
  path: string;
  /** The page; none for a folder, which only stands for the pages below it. */
  entry: WikiEntry | undefined;
  level: number;
  hasChildren: boolean;
  /** Path of the row above; empty at the top. */
  parent: string;
}

/** The visible rows: each page before those below it, what is below a folded one left out. */
export function visibleNodes(entries: readonly WikiEntry[], folded: ReadonlySet<string>): Node[] {
  const nodes: Node[] = [];
  const visit = (branch: Branch, parent: string, level: number) => {
    for (const below of branch.below.values()) {
      const { path, entry } = below;
      const hasChildren = below.below.size > 0;
      nodes.push({ path, entry, level, hasChildren, parent });
      if (hasChildren && !folded.has(path)) visit(below, path, level + 1);
    }
  };
  visit(branchesOf(entries), '', 1);
  return nodes;
}

interface Branch {
  path: string;
  entry: WikiEntry | undefined;
  below: Map<string, Branch>;
}

/** The pages as branches, in their order. A path without a page of its own is a branch too: a folder. */
function branchesOf(entries: readonly WikiEntry[]): Branch {
  const root: Branch = { path: '', entry: undefined, below: new Map() };
  for (const entry of entries) {
    let at = root;
    for (const path of [...ancestors(entry.path), entry.path]) {
      const name = foldedOf(nameOf(path));
      const next = at.below.get(name) ?? { path, entry: undefined, below: new Map() };
      at.below.set(name, next);
      at = next;
    }
    at.entry = entry;
    at.path = entry.path;
  }
  return root;
}

/** Whether a path has no page of its own but pages below it. */
export function isFolder(entries: readonly WikiEntry[], path: string): boolean {
  const folded = foldedOf(path);
  return (
    entries.some((entry) => foldedOf(entry.path).startsWith(`${folded}/`)) &&
    !entries.some((entry) => foldedOf(entry.path) === folded)
  );
}

/** A name as it is typed: levels between slashes, without empty ones and spaces around them. */
export function cleanPath(typed: string): string {
  return typed
    .split('/')
    .map((name) => name.trim())
    .filter(Boolean)
    .join('/');
}

/** A path as the service compares it: in any case, its letters composed. */
function foldedOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
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

/** The paths above a path, from the top. */
function ancestors(path: string): string[] {
  const above: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) above.push(path.slice(0, at));
  return above;
}

export type Step = { focus: number } | { fold: string; to: boolean } | undefined;

/** What a key does at a row, after the pattern of a tree: arrows, Home, End. */
export function step(nodes: readonly Node[], at: number, key: string, folded: ReadonlySet<string>): Step {
  const node = nodes[at];
  if (!node) return undefined;
  const { path } = node;
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
      const above = nodes.findIndex((candidate) => candidate.path === node.parent);
      return above >= 0 ? { focus: above } : undefined;
    }
    default:
      return undefined;
  }
}
