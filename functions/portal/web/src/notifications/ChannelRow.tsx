import { MessageCircle, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Channel, Platform } from '@/data/notifications';
import { plain } from '@/lib/text';
import { clockTime } from '@/lib/times';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row } from '@/ui/Rows';
import { toast } from '@/ui/toasts';
import styles from './notifications.module.css';
import { t } from './strings';

const TONES = { pending: 'warn', active: 'ok', broken: 'bad' } as const;

interface ChannelRowProps {
  type: Platform;
  /** Its own name; of a person's channel, the platform's. */
  name?: string;
  channel:
    | Pick<Channel, 'status' | 'target' | 'lastError' | 'failingSince' | 'connectedAt' | 'heldUntil'>
    | undefined;
  /** Why it cannot be connected at all. */
  unavailable?: string | undefined;
  frozen?: string | undefined;
  test: () => Promise<unknown>;
  remove: () => Promise<unknown>;
  onConnect: () => void;
  onChange: () => void;
  inside?: ReactNode;
}

/** A channel: where it leads, how it is, what became of the last message. */
export function ChannelRow(props: ChannelRowProps) {
  const { type, channel, unavailable, frozen, test, remove, onConnect, onChange, inside } = props;
  const name = props.name ? plain(props.name) : t(type);
  const [busy, setBusy] = useState(false);
  const [asked, ask] = useState(false);
  const broken = channel?.status === 'broken';
  const held = channel?.status === 'active' && channel.heldUntil;
  const failing = channel?.status === 'active' && !held && channel.lastError;
  const send = async () => {
    setBusy(true);
    try {
      await test();
      toast(t('tested', { name }));
    } catch (error) {
      toast(t('testFailed', { why: plain(sentenceOf(error)) }), { tone: 'bad' });
    } finally {
      setBusy(false);
      onChange();
    }
  };
  return (
    <Row
      glyph={<Icon of={MessageCircle} size={14} />}
      title={name}
      dimmed={!channel}
      tags={
        channel && (
          <Chip tone={held || failing ? 'warn' : (TONES[channel.status as keyof typeof TONES] ?? 'neutral')}>
            {held
              ? t('held')
              : failing
                ? t('failing')
                : channel.status in TONES
                  ? t(`status_${channel.status as 'active'}`)
                  : channel.status}
          </Chip>
        )
      }
      detail={
        <>
          {channel ? (
            <>
              {props.name && `${t(type)} · `}
              {plain(channel.target ?? '')}
            </>
          ) : (
            unavailable
          )}
          {held && <span className={styles.broken}>{t('heldUntil', { at: clockTime(held) })}</span>}
          {failing && (
            <span className={styles.broken}>
              {channel.failingSince
                ? t('failingSince', { at: clockTime(channel.failingSince), why: plain(failing) })
                : t('lastFailed', { why: plain(failing) })}
            </span>
          )}
          {broken && (
            <span className={styles.broken}>
              {channel.lastError && <>{t('brokenWhy', { why: plain(channel.lastError) })} </>}
              {t('brokenMend')}
            </span>
          )}
        </>
      }
      facts={channel?.connectedAt ? [<DateTime key="at" at={channel.connectedAt} />] : []}
      actions={
        <>
          {channel && channel.status !== 'pending' && (
            <Button size="small" busy={busy} refusal={frozen} onClick={() => void send()}>
              {t('test')}
            </Button>
          )}
          {channel?.status !== 'active' && (
            <Button size="small" kind="primary" refusal={unavailable ?? frozen} onClick={onConnect}>
              {t(channel ? 'reconnect' : 'connect')}
            </Button>
          )}
          {channel && (
            <IconButton
              icon={Trash2}
              size="small"
              label={`${t('remove')}: ${name}`}
              refusal={frozen}
              onClick={() => ask(true)}
            />
          )}
          <Confirm
            open={asked}
            onClose={() => ask(false)}
            title={t('removeTitle', { name })}
            action={t('remove')}
            run={async () => {
              await remove();
              onChange();
            }}
          >
            <p>{t('removeDetail')}</p>
          </Confirm>
        </>
      }
      inside={inside}
    />
  );
}

function sentenceOf(error: unknown): string {
  const { title, detail } = problemOf(error);
  return detail || title;
}
