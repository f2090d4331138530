import { EmptyState } from '@/ui/states';
import { t } from './strings';

/** In place of items, where no filter was right before: the box above says what is wrong. */
export function WrongFilter({ n, clear }: { n: number; clear: () => void }) {
  return <EmptyState title={t('wrong', { n })} action={{ label: t('clear'), run: clear }} />;
}
