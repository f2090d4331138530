import { lazy, Suspense, useEffect, useState } from 'react';
import { signals } from '@/api/client';
import type { ProblemError } from '@/api/problem';
import { useMe } from '@/data/me';
import type { Card } from '@/store/feed';
import { commentEvents } from '@/store/kinds/comment';
import { changeItem, type ItemChange, type ItemCreation, itemEvents } from '@/store/kinds/item';
import type { TextConflict } from '@/ui/ConflictView';
import { toast, toastProblem } from '@/ui/toasts';
import { overlayNow, show } from './overlays';
import { t } from './reports-strings';

const ConflictDialog = lazy(() => import('@/ui/ConflictView'));

/** Tells the person what became of writes that the service did not take as they were. */
export function StoreReports() {
  const [conflict, setConflict] = useState<TextConflict>();
  useEffect(() => itemEvents.on('refused', tellRefusal), []);
  useEffect(() => itemEvents.on('uncreated', reopen), []);
  useEffect(() => commentEvents.on('refused', tellRefusal), []);
  useEffect(() => itemEvents.on('contested', ({ write, fields, now }) => askAgain(write, fields, now)), []);
  useEffect(
    () =>
      itemEvents.on('conflict', ({ change, mine, theirs, base, version }) =>
        setConflict({
          mine,
          theirs,
          base,
          save: (text) =>
            insist({
              ...change,
              show: { body: text },
              before: { body: theirs },
              version,
              request: { update: { body: text } },
            }),
        }),
      ),
    [],
  );
  useDeprecations();
  return (
    <Suspense>
      {conflict && <ConflictDialog conflict={conflict} onClose={() => setConflict(undefined)} />}
    </Suspense>
  );
}

/** So long after "Create" its dialog opens again by itself; later the person is busy with something else. */
const SOON = 15_000;

/** A refused item: its dialog is opened again with everything that was filled in. */
function reopen({
  creation,
  problem,
  at,
}: {
  creation: ItemCreation;
  problem: ProblemError;
  at: number;
}): void {
  const { slug, project } = creation;
  const open = () => show({ kind: 'create', slug, project, problem });
  if (Date.now() - at < SOON && overlayNow() === undefined) open();
  else toastProblem(problem, { note: t('keptNew'), action: { label: t('openAgain'), run: open } });
}

function tellRefusal({ problem, kept }: { problem: ProblemError; kept: boolean }): void {
  toastProblem(problem, kept ? { note: t('kept') } : {});
}

/** The other's value stands; the person may set theirs again. */
function askAgain(write: ItemChange, fields: string[], now: Card): void {
  const field = fields[0] ?? '';
  const value = worded(now[field as keyof Card]);
  const mine = worded(write.show[field as keyof Card]);
  toast(t('contested', { key: now.key, field: field, value }), {
    tone: 'bad',
    action: {
      label: t('insist', { value: mine }),
      run: () => insist({ ...write, before: pick(now, fields), version: now.version }),
    },
  });
}

function insist(change: ItemChange): void {
  changeItem(`${change.slug}/${change.key}`, change);
}

function pick(card: Card, fields: string[]): Partial<Card> {
  return Object.fromEntries(fields.map((field) => [field, card[field as keyof Card]]));
}

function worded(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('nothing');
  if (Array.isArray(value)) return value.join(', ') || t('nothing');
  if (typeof value === 'object') return String((value as { name?: string }).name ?? '');
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Administrators learn of what is to be removed from the API. */
function useDeprecations(): void {
  const { organizations } = useMe();
  const administers = organizations.some(({ role }) => role === 'owner' || role === 'admin');
  useEffect(() => {
    if (!administers) return undefined;
    const told = new Set<string>();
    return signals.on('deprecated', ({ path, sunset }) => {
      if (told.has(path)) return;
      told.add(path);
      toast(t('deprecated', { path, sunset: sunset ?? '' }));
    });
  }, [administers]);
}
