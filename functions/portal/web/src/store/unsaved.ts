/**
 * Drafts that the database does not have yet. A page that is left may end before the database has taken them, so they are
 * also written to local storage, which takes them at once. The next start moves them to the database (`putBack`).
 */

export interface StoredDraft {
  id: string;
  text: string;
  /** What the text was when the draft was begun, so that a change by others is noticed. */
  base?: string | undefined;
  at: number;
}

const PREFIX = 'svc.unsaved.';

const nameOf = (user: string, id: string) => `${PREFIX}${user}/${id}`;

/** Writes a draft to local storage. */
export function putAside(user: string, draft: StoredDraft): void {
  try {
    localStorage.setItem(nameOf(user, draft.id), JSON.stringify(draft));
  } catch {
    // Full or closed: the database may still take it.
  }
}

/** Removes what was put aside under a draft's name, unless it is newer than this. */
export function takeAway(user: string, id: string, at: number): void {
  const name = nameOf(user, id);
  const there = read(name);
  if (there && there.at <= at) localStorage.removeItem(name);
}

/** What was put aside for a person. */
export function allAside(user: string): StoredDraft[] {
  return names(nameOf(user, '')).flatMap((name) => read(name) ?? []);
}

/** Forgets what was put aside for anybody. */
export function forgetAside(): void {
  for (const name of names(PREFIX)) localStorage.removeItem(name);
}

function names(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

function read(name: string): StoredDraft | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
