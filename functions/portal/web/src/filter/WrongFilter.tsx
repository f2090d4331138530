import type { WrongTerm } from '@/items/useMatcher';
import { EmptyState } from '@/ui/states';
import { t } from './strings';

/** In place of items: which terms of the filter are wrong, why, and a way out of it. */
export function WrongFilter({ wrong, clear }: { wrong: readonly WrongTerm[]; clear: () => void }) {
  return (
    <EmptyState title={t('wrong', { n: wrong.length })} action={{ label: t('clear'), run: clear }}>
      {wrong.map(({ term, reason }) => (
        <p key={term} role="alert">
          <code>{term}</code>: {reason}
        </p>
      ))}
    </EmptyState>
  );
}
