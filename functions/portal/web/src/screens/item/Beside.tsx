import { useNavigate, useRouter } from '@tanstack/react-router';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useCommands } from '@/commands/registry';
import { comeBackTo } from '@/items/selection';
import { t } from '@/items/strings';
import { surroundings } from '@/items/trail';
import { address } from '@/lib/address';
import { projectOf } from '@/lib/text';
import { IconButton } from '@/ui/Button';
import styles from './item.module.css';

interface BesideProps {
  slug: string;
  project: string;
  item: string;
}

/** Leads from an item to those beside it on the board or list that it was opened from, and back there. */
export function Beside({ slug, project, item }: BesideProps) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const around = surroundings(slug, item);
  // Without an entry of its own in the history: Back leads to the board or list.
  const go = (key: string | undefined) => () => {
    if (!around || key === undefined) return;
    comeBackTo(around.entry, key);
    const params = { slug, project: projectOf(key), item: key };
    void navigate({ to: '/o/$slug/p/$project/items/$item', params, replace: true });
  };
  const back = () => {
    // What is open over the page answers Escape itself.
    if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')) return;
    if (!around) void navigate({ to: '/o/$slug/p/$project/board', params: { slug, project } });
    else if (window.history.state?.__TSR_index === around.at + 1) history.back();
    else void navigate(address(around.href));
  };
  const group = 'view' as const;
  useCommands([
    { id: 'item.back', title: t('backToItems'), group, keys: 'escape', run: back },
    ...(around
      ? [
          { id: 'item.next', title: t('nextItem'), group, keys: 'j', run: go(around.next) },
          { id: 'item.previous', title: t('previousItem'), group, keys: 'k', run: go(around.previous) },
        ]
      : []),
  ]);
  if (!around) return null;
  return (
    <>
      <span className={styles.place}>{t('placeOf', { at: around.place + 1, of: around.keys.length })}</span>
      <IconButton
        icon={ChevronUp}
        size="small"
        label={t('previousItem')}
        keys="k"
        aria-disabled={around.previous === undefined || undefined}
        onClick={go(around.previous)}
      />
      <IconButton
        icon={ChevronDown}
        size="small"
        label={t('nextItem')}
        keys="j"
        aria-disabled={around.next === undefined || undefined}
        onClick={go(around.next)}
      />
    </>
  );
}
