import { Suspense, useEffect, useState } from 'react';
import { signals } from '@/api/client';
import { useMe } from '@/data/me';
import { insist, lazyPart } from '@/lib/parts';
import { commentEvents } from '@/store/kinds/comment-events';
import { changeItems, itemEvents } from '@/store/kinds/item';
import type { TextConflict } from '@/ui/ConflictView';
import { toast } from '@/ui/toasts';
import { t } from './reports-strings';

const ConflictDialog = lazyPart(() => import('@/ui/ConflictView'));

/** Tells the person what became of writes that the service did not take as they were. */
export function StoreReports() {
  const [conflict, setConflict] = useState<TextConflict>();
  useEffect(() => itemEvents.on('refused', (one) => report(({ tellRefusals }) => tellRefusals(one))), []);
  useEffect(() => itemEvents.on('uncreated', (one) => report(({ reopen }) => reopen(one))), []);
  useEffect(() => commentEvents.on('refused', (one) => report(({ tellRefusal }) => tellRefusal(one))), []);
  useEffect(() => itemEvents.on('contested', (one) => report(({ askAgain }) => askAgain(one))), []);
  useEffect(
    () =>
      itemEvents.on('conflict', ({ change, mine, theirs, base, version }) =>
        setConflict({
          mine,
          theirs,
          base,
          save: (text) =>
            changeItems([
              {
                ...change,
                show: { body: text },
                before: { body: theirs },
                version,
                request: { update: { body: text } },
              },
            ]),
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

type Reports = typeof import('./store-reports');

/** Reports what has happened, in its order. */
function report(tell: (reports: Reports) => void): void {
  void insist(() => import('./store-reports')).then(tell);
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
