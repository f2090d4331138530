import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import type { Connected, Platform } from '@/data/notifications';
import { serverNow } from '@/lib/times';
import { Button } from '@/ui/Button';
import { CopyField } from '@/ui/CopyField';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { toast } from '@/ui/toasts';
import { WEBHOOKS } from './kinds';
import { t } from './strings';

interface ConnectChannelProps {
  type: Platform;
  /** Whether there is one that this takes the place of. */
  replaces?: boolean;
  /** More fields, over the address. */
  children?: ReactNode;
  /** Of a group instead of a person. */
  group?: boolean;
  connect: (webhookUrl?: string) => Promise<Connected>;
  /** Answers whether the chat came meanwhile; asked while a code waits. */
  isActive: (id: string) => Promise<boolean>;
  onChange: () => void;
  onClose: () => void;
}

const HOW = { chat_2: 'howSlack', chat_3: 'howDiscord', chat_4: 'howTeams' } as const;

/** Connects a chat: by the address of a webhook, or by a link and a code that are shown once. */
export function ConnectChannel(props: ConnectChannelProps) {
  const { type, replaces, children, group = false, connect, isActive, onChange, onClose } = props;
  const [url, setUrl] = useState('');
  const [made, setMade] = useState<Connected>();
  const name = t(type);
  const prefix = WEBHOOKS[type];
  const sending = useSending(async () => {
    const connected = await connect(prefix ? url.trim() : undefined);
    onChange();
    if (connected.connectCode) return setMade(connected);
    toast(t('connected', { name }));
    onClose();
  });
  const again = async () => {
    setMade(await connect());
    onChange();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('connectTo', { name })}
      foot={<Button onClick={onClose}>{t(made ? 'done' : 'cancel')}</Button>}
    >
      {made ? (
        <Code
          key={made.channel.id + made.connectCode}
          made={made}
          group={group}
          again={again}
          isActive={isActive}
          onActive={() => {
            onChange();
            toast(t('connected', { name }));
            onClose();
          }}
        />
      ) : (
        <form className={form.form} onSubmit={sending.onSubmit}>
          {children}
          {prefix && (
            <>
              <p>{t(HOW[type as keyof typeof HOW] ?? 'howSlack')}</p>
              <TextField
                label={t(type === 'chat_4' ? 'workflow' : 'webhook')}
                type="url"
                required
                autoComplete="off"
                spellCheck={false}
                placeholder={`${prefix}…`}
                value={url}
                errors={sending.errorsOf('webhookUrl')}
                onChange={(event) => setUrl(event.target.value)}
              />
            </>
          )}
          {replaces && <p className="meta">{t('replaces')}</p>}
          <FormProblem error={sending.error} />
          <div className={form.row}>
            <Button kind="primary" type="submit" busy={sending.busy}>
              {t('connect')}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

interface CodeProps {
  made: Connected;
  group: boolean;
  again: () => Promise<void>;
  isActive: (id: string) => Promise<boolean>;
  onActive: () => void;
}

/** How often it is looked whether the chat came, in milliseconds. */
const LOOK = 3_000;

function Code({ made, group, again, isActive, onActive }: CodeProps) {
  const left = useSecondsTo(made.expiresAt);
  const over = left === 0;
  const { data: active } = useQuery({
    queryKey: ['channel-active', made.channel.id, made.connectCode],
    queryFn: () => isActive(made.channel.id),
    refetchInterval: LOOK,
    enabled: !over,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once
  useEffect(() => {
    if (active) onActive();
  }, [active]);
  if (over)
    return (
      <div className={form.form}>
        <p role="status">{t('codeEnded')}</p>
        <div className={form.row}>
          <Button kind="primary" onClick={() => void again()}>
            {t('newCode')}
          </Button>
        </div>
      </div>
    );
  return (
    <div className={form.form}>
      <p>{t(group ? 'howTelegramGroup' : 'howTelegram')}</p>
      {made.connectUrl && (
        <p>
          <a className="link" href={made.connectUrl} target="_blank" rel="noreferrer noopener">
            {t('openTelegram')}
          </a>
        </p>
      )}
      <CopyField label={t('code')} value={made.connectCode ?? ''} />
      <p className="meta">
        {t('waiting')} {t('codeEnds', { seconds: left })}
      </p>
    </div>
  );
}

/** Seconds that are left, counted down. */
function useSecondsTo(moment: string | null | undefined): number {
  const read = () => Math.max(0, Math.ceil((Date.parse(moment ?? '') - serverNow()) / 1_000) || 0);
  const [left, setLeft] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts to one moment
  useEffect(() => {
    const timer = setInterval(() => setLeft(read()), 1_000);
    return () => clearInterval(timer);
  }, [moment]);
  return left;
}
