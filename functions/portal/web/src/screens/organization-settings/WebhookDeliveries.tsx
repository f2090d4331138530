import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, CircleX, Clock } from 'lucide-react';
import { useState } from 'react';
import { act } from '@/data/act';
import { deliveriesQuery, replayDelivery, type Webhook, type WebhookDelivery } from '@/data/webhooks';
import { plain, projectOf } from '@/lib/text';
import { clockTime } from '@/lib/times';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { eventName } from './webhook-events';
import { t } from './webhook-strings';

interface WebhookDeliveriesProps {
  slug: string;
  webhook: Webhook;
  frozen: string | undefined;
  onClose: () => void;
}

/** What a webhook sent, newest first, and what came of it. */
export function WebhookDeliveries({ slug, webhook, frozen, onClose }: WebhookDeliveriesProps) {
  const query = deliveriesQuery(slug, webhook.id);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query);
  const title = t('deliveriesOf', { name: plain(webhook.name) });
  const deliveries = data?.pages.flat();
  const refusal = frozen ?? (webhook.disabled ? t('disabled') : undefined);
  const replay = async ({ id }: WebhookDelivery) => {
    if (await act(() => replayDelivery(slug, webhook.id, id), query.queryKey)) toast(t('replayed'));
  };
  return (
    <Section
      title={title}
      about={t('deliveriesAbout')}
      actions={
        <Button size="small" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !deliveries ? (
        <Skeleton label={common('loading')} rows={4} height={44} />
      ) : (
        <div className={styles.card}>
          {deliveries.length === 0 && <p className={styles.empty}>{t('noDelivery')}</p>}
          <Rows label={title}>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                slug={slug}
                delivery={delivery}
                refusal={refusal}
                replay={() => replay(delivery)}
              />
            ))}
          </Rows>
        </div>
      )}
      {hasNextPage && (
        <div>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </Section>
  );
}

const FACES = {
  waiting: { icon: Clock, tone: 'neutral' },
  sent: { icon: CircleCheck, tone: 'ok' },
  failed: { icon: CircleX, tone: 'bad' },
  skipped: { icon: CircleSlash, tone: 'neutral' },
} as const;

interface DeliveryRowProps {
  slug: string;
  delivery: WebhookDelivery;
  refusal: string | undefined;
  replay: () => Promise<void>;
}

function DeliveryRow({ slug, delivery, refusal, replay }: DeliveryRowProps) {
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const { state, attempts, itemKey, nextAttemptAt, skippedReason } = delivery;
  const event = eventName(delivery.event);
  const face = FACES[state as keyof typeof FACES];
  const again = async () => {
    setBusy(true);
    await replay();
    setBusy(false);
  };
  return (
    <Row
      glyph={<Icon of={face?.icon ?? Clock} size={14} />}
      title={event}
      tags={<Chip tone={face?.tone ?? 'neutral'}>{face ? t(`state_${state as 'sent'}`) : state}</Chip>}
      detail={[
        itemKey && <ItemLink key="item" slug={slug} itemKey={itemKey} />,
        skippedReason ? plain(skippedReason) : attempts.length > 0 && lineOf(attempts.at(-1)),
        attempts.length > 1 && (
          <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('attemptCount', { n: attempts.length })}
          </button>
        ),
        state === 'waiting' && nextAttemptAt && t('nextAttempt', { at: clockTime(nextAttemptAt) }),
      ]
        .filter((part) => part !== false && part)
        .map((part, at) => (
          <span key={at}>
            {at > 0 && ' · '}
            {part}
          </span>
        ))}
      facts={[<DateTime key="at" at={delivery.at} />]}
      actions={
        <Button size="small" busy={busy} refusal={refusal} onClick={() => void again()}>
          {t('replay')}
        </Button>
      }
      inside={
        open &&
        attempts.map((attempt) => (
          <Row key={attempt.at} title={lineOf(attempt)} facts={[<DateTime key="at" at={attempt.at} />]} />
        ))
      }
    />
  );
}

function ItemLink({ slug, itemKey }: { slug: string; itemKey: string }) {
  return (
    <a className="link" href={`/o/${slug}/p/${projectOf(itemKey)}/items/${itemKey}`}>
      {itemKey}
    </a>
  );
}

/** What an address answered, or why it did not. */
export function lineOf(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  if (!attempt) return '';
  return attempt.error ? plain(attempt.error) : t('answered', { status: attempt.status ?? '' });
}
