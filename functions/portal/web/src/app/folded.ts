import { useLocal } from '@/lib/local';
import { useWide } from '@/lib/media';

/** Whether the sidebar shows icons alone: as chosen in this browser, or else where the window has little room. */
export function useFolded(): [boolean, (folded: boolean) => void] {
  const [chosen, choose] = useLocal<boolean | null>('folded', null);
  const wide = useWide();
  return [chosen ?? !wide, choose];
}
