/** Changes of the tree: moving a page, with everything below it. */
import { data, http } from '@/api/client';
import { act, refresh } from '@/data/act';
import type { WikiEntry } from '@/data/wiki';
import { nameOf } from './tree';

interface Move {
  slug: string;
  project: string;
  entries: readonly WikiEntry[];
  from: string;
  /** Path of the page to put it under; empty for the top. */
  below: string;
  /** The page that is open: it is followed to its new place. */
  current: string;
  go: (path: string) => void;
}

export async function movePage({ slug, project, entries, from, below, current, go }: Move): Promise<boolean> {
  const entry = entries.find((candidate) => candidate.path === from);
  if (!entry) return false;
  const to = below ? `${below}/${nameOf(from)}` : nameOf(from);
  const moved = await act(() => sendMove(slug, project, from, to, entry.version), ['wiki', slug, project]);
  if (moved && (current === from || current.startsWith(`${from}/`))) go(to + current.slice(from.length));
  return moved;
}

export function sendMove(slug: string, key: string, path: string, to: string, version: number) {
  const params = { path: { slug, key, path } };
  return data(
    http.POST('/api/v1/orgs/{slug}/projects/{key}/wiki/move/{path}', { params, body: { to, version } }),
  );
}

/** Writes a page's text. Without a version it makes the page. */
export async function writePage(slug: string, key: string, path: string, body: string, version?: number) {
  const params = { path: { slug, key, path } };
  const sent = version === undefined ? { body } : { body, version };
  const page = await data(
    http.PUT('/api/v1/orgs/{slug}/projects/{key}/wiki/pages/{path}', { params, body: sent }),
  );
  await refresh(['wiki', slug, key]);
  return page;
}
