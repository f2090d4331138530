/** Says that a part of the app does not come, for as long as somebody waits for it. */
import { partEvents } from '@/lib/parts';
import { dismiss, toast } from '@/ui/toasts';
import { t } from './strings';

export function tellMissingParts(): () => void {
  let told = 0;
  return partEvents.on('missing', (missing) => {
    dismiss(told);
    const action = { label: t('reload'), run: () => location.reload() };
    if (missing) told = toast(t('partMissing'), { detail: t('partMissingDetail'), action, stays: true });
  });
}
