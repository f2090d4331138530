import { CircleDashed, LoaderCircle } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import styles from '@/runs/RunChip.module.css';
import type { Card } from '@/store/feed';
import { useMinute } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { glanceOf } from './runs';
import { t } from './strings';

/** The live run of an item, as small as a card has room for. */
export function GlanceChip({ card }: { card: Card }) {
  useMinute();
  const glance = glanceOf(card);
  if (!glance) return null;
  const running = glance.shape === 'running';
  const title = glance.agent ? t('agentAtWork', { name: plain(glance.agent) }) : glance.word;
  return (
    <span className={cx(styles.chip, running ? styles.work : styles.wait)} data-tip={title}>
      <Icon
        of={running ? LoaderCircle : CircleDashed}
        size={12}
        className={running ? styles.turning : undefined}
      />
      <span className="truncate">{glance.word}</span>
    </span>
  );
}
