import { Plus } from 'lucide-react';
import { t } from '@/app/strings';
import { useNarrow } from '@/lib/media';
import { Button } from '@/ui/Button';

/** Makes a new item. On a phone the sign alone is enough, and the title keeps its line. */
export function CreateButton({ refusal, create }: { refusal?: string | undefined; create: () => void }) {
  const narrow = useNarrow();
  return (
    <Button
      kind="primary"
      size="small"
      icon={Plus}
      refusal={refusal}
      data-tip-keys="c"
      aria-label={t('create')}
      onClick={create}
    >
      {narrow ? undefined : t('create')}
    </Button>
  );
}
