import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/Button';
import type { Place } from './actions';
import { restoreItem } from './deletion';
import { t } from './deletion-strings';

interface BringBackProps {
  place: Place;
  item: string;
  refusal: string | undefined;
  size?: 'small' | 'regular';
}

/** Brings a deleted item back. */
export function BringBack({ place, item, refusal, size = 'small' }: BringBackProps) {
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await restoreItem(place, item);
    setBusy(false);
  };
  return (
    <Button
      size={size}
      icon={Undo2}
      busy={busy}
      refusal={refusal}
      aria-label={t('bringItemBack', { key: item })}
      onClick={() => void restore()}
    >
      {t('bringBack')}
    </Button>
  );
}
