import { useQuery } from '@tanstack/react-query';
import { CircleDashed, Clock, LoaderCircle } from 'lucide-react';
import { useCallback } from 'react';
import type { Run } from '@/api/types';
import { useOrganization } from '@/data/me';
import { projectRunsQuery } from '@/data/runs';
import { cx } from '@/lib/class-names';
import { plain, projectOf } from '@/lib/text';
import { mayBeAwaited, useCardTurn } from '@/runs/card-turn';
import styles from '@/runs/RunChip.module.css';
import { TurnChip } from '@/runs/TurnChip';
import type { Card } from '@/store/feed';
import { useMinute } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { glanceOf } from './runs';
import { t } from './strings';

const ICONS = { queued: CircleDashed, scheduled: Clock, running: LoaderCircle };

/** The live run of an item, or what its refinement waits for, as small as a card has room for. */
export function GlanceChip({ slug, card }: { slug: string; card: Card }) {
  if (card.liveRun) return <LiveChip slug={slug} card={card} id={card.liveRun} />;
  return mayBeAwaited(card) ? <Awaited slug={slug} card={card} /> : null;
}

/** Refinements are for factory operators: nobody else asks about them. */
function Awaited(props: { slug: string; card: Card }) {
  const operate = useOrganization(props.slug)?.canOperateFactory;
  return operate ? <AwaitedChip {...props} /> : null;
}

function AwaitedChip({ slug, card }: { slug: string; card: Card }) {
  const turn = useCardTurn(slug, card);
  return turn ? <TurnChip turn={turn} /> : null;
}

function LiveChip({ slug, card, id }: { slug: string; card: Card; id: string }) {
  useMinute();
  const select = useCallback((runs: Run[]) => runs.find((run) => run.id === id), [id]);
  const { data: run } = useQuery({ ...projectRunsQuery(slug, projectOf(card.key)), select });
  const glance = glanceOf(card, run);
  if (!glance) return null;
  const running = glance.shape === 'running';
  const title = glance.agent
    ? t('agentAtWork', { name: plain(glance.agent), word: glance.word })
    : glance.word;
  return (
    <span
      className={cx(styles.chip, running ? styles.work : styles.wait)}
      data-tip={glance.more ? plain(glance.more) : title}
    >
      <Icon of={ICONS[glance.shape]} size={12} className={running ? styles.turning : undefined} />
      <span className="truncate">{glance.word}</span>
    </span>
  );
}
