import { Maximize2, X } from 'lucide-react';
import { useCommands } from '@/commands/registry';
import { IconButton } from '@/ui/Button';
import { Sheet } from '@/ui/Dialog';
import { ItemView } from './ItemView';
import styles from './item.module.css';
import { t } from './strings';

export interface PeekProps {
  slug: string;
  project: string;
  item: string;
  onClose: () => void;
  onOpen: (key: string) => void;
}

/** The item page beside the board or list. */
export default function PeekPanel({ slug, project, item, onClose, onOpen }: PeekProps) {
  return (
    <Sheet open onClose={onClose} title={item}>
      <Closing onClose={onClose} />
      <div className={styles.peekBar}>
        <IconButton
          icon={Maximize2}
          size="small"
          label={t('open')}
          keys="enter"
          onClick={() => onOpen(item)}
        />
        <IconButton icon={X} size="small" label={t('close')} keys="escape" onClick={onClose} />
      </div>
      <ItemView key={item} slug={slug} project={project} item={item} peek />
    </Sheet>
  );
}

function Closing({ onClose }: { onClose: () => void }) {
  useCommands([
    { id: 'peek.close', title: t('close'), group: 'view', keys: 'escape', run: onClose, hidden: true },
  ]);
  return null;
}
