import { useNavigate } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { Suspense } from 'react';
import type { Run } from '@/api/types';
import { lazyPart } from '@/lib/parts';
import { projectOf } from '@/lib/text';
import { IconButton } from '@/ui/Button';
import { Sheet } from '@/ui/Dialog';
import { Peek } from '../item/Peek';
import styles from './home.module.css';
import { t } from './strings';

const ChangesView = lazyPart(() => import('../run/changes/ChangesView'));

interface BesideProps {
  slug: string;
  /** Key of the item to show. */
  peek: string | undefined;
  /** The run whose changes are to be shown. */
  run: Run | undefined;
  onClose: () => void;
}

/** What a row is about, beside Home: the item, or what an agent changed. */
export function Beside({ slug, peek, run, onClose }: BesideProps) {
  const navigate = useNavigate();
  const open = (item: string) =>
    void navigate({
      to: '/o/$slug/p/$project/items/$item',
      params: { slug, project: projectOf(item), item },
    });
  if (run)
    return (
      <Sheet open onClose={onClose} title={t('changesOf', { item: run.item })}>
        <div className={styles.besideBar}>
          <h2 className={styles.besideTitle}>{t('changesOf', { item: run.item })}</h2>
          <IconButton
            icon={Maximize2}
            size="small"
            label={t('open', { item: run.item })}
            onClick={() => open(run.item)}
          />
          <IconButton icon={X} size="small" label={t('close')} keys="escape" onClick={onClose} />
        </div>
        <Suspense>
          <ChangesView run={run} />
        </Suspense>
      </Sheet>
    );
  return (
    <Peek slug={slug} project={peek ? projectOf(peek) : ''} item={peek} onClose={onClose} onOpen={open} />
  );
}
