/**
 * When drafts are saved: half a second after the first key that is not saved yet, however many follow, and at once when the
 * page is left or hidden. What the database does not take is offered to it again.
 */
import { dropTyped, keepTyped, type Owner, ownerOfDatabase, recall } from './database';
import { putAside, type StoredDraft } from './unsaved';

const SAVE_AFTER = 500;
const AGAIN_AFTER = 3_000;

/** Drafts that the database does not have yet, by their name, and whose they are. */
const unsaved = new Map<string, { owner: Owner; draft: StoredDraft }>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Saves a draft soon. */
export function saveSoon(draft: Omit<StoredDraft, 'at'>): void {
  const owner = ownerOfDatabase();
  if (!owner) return;
  unsaved.set(draft.id, { owner, draft: { ...draft, at: Date.now() } });
  saveAfter(SAVE_AFTER);
}

function saveAfter(milliseconds: number): void {
  timer ??= setTimeout(() => void saveNow(), milliseconds);
}

/** Saves what waits to be saved. */
export async function saveNow(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await Promise.all([...unsaved.keys()].map(save));
}

/** The draft of this name, as it was written last. */
export async function readDraft(id: string): Promise<StoredDraft | undefined> {
  const waiting = unsaved.get(id);
  return waiting && waiting.owner === ownerOfDatabase() ? waiting.draft : recall('drafts', id);
}

/** The text was sent, or is not wanted any more. */
export async function forgetDraft(id: string): Promise<void> {
  unsaved.delete(id);
  await dropTyped('drafts', id);
}

async function save(id: string): Promise<void> {
  const entry = unsaved.get(id);
  if (!entry) return;
  // What was wiped meanwhile is not written again.
  if (entry.owner !== ownerOfDatabase()) {
    unsaved.delete(id);
    return;
  }
  const kept = await keepTyped('drafts', entry.draft);
  if (unsaved.get(id) !== entry) return;
  if (kept) unsaved.delete(id);
  else saveAfter(AGAIN_AFTER);
}

/** The page may end at any moment from now on. */
function leave(): void {
  void saveNow();
  putAside();
}

addEventListener('pagehide', leave);
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave());
