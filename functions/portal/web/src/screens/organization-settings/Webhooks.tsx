import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import {
  changeWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  type Webhook,
  type WebhookWithSecret,
  webhooksQuery,
} from '@/data/webhooks';
import { plain } from '@/lib/text';
import { clockTime } from '@/lib/times';
import broken from '@/notifications/notifications.module.css';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast, toastProblem } from '@/ui/toasts';
import { useLeading } from '../settings/leading';
import { ShownOnce } from '../settings/ShownOnce';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfOrganization } from './section';
import { lineOf, WebhookDeliveries } from './WebhookDeliveries';
import { WebhookForm } from './WebhookForm';
import { t } from './webhook-strings';

type Asked =
  | { what: 'new' }
  | { what: 'edit' | 'rotate' | 'disable' | 'delete'; webhook: Webhook }
  | { what: 'made' | 'rotated'; made: WebhookWithSecret };

/** Addresses that are sent what happens in the organization. */
export default function Webhooks({ slug, frozen }: OfOrganization) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(slug));
  const [asked, ask] = useState<Asked>();
  const [search, change] = useSearchParams();
  const create = () => ask({ what: 'new' });
  useCommands([{ id: 'webhook.new', title: t('create'), group: 'general', refusal: frozen, run: create }]);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!webhooks) return <Skeleton label={common('loading')} rows={4} height={44} />;
  const shown = webhooks.find(({ id }) => id === search.webhook);
  return (
    <>
      <Section
        title={t('webhooks')}
        about={t('about')}
        actions={
          <Button size="small" kind="primary" icon={Plus} refusal={frozen} onClick={create}>
            {t('create')}
          </Button>
        }
      >
        <div className={styles.card}>
          {webhooks.length === 0 && <p className={styles.empty}>{t('none')}</p>}
          <Rows label={t('webhooks')}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} slug={slug} webhook={webhook} frozen={frozen} ask={ask} />
            ))}
          </Rows>
        </div>
      </Section>
      {shown && (
        <WebhookDeliveries
          key={shown.id}
          slug={slug}
          webhook={shown}
          frozen={frozen}
          onClose={() => change({ webhook: '' })}
        />
      )}
      {asked && <Asking slug={slug} asked={asked} ask={ask} />}
    </>
  );
}

interface WebhookRowProps extends Pick<OfOrganization, 'slug' | 'frozen'> {
  webhook: Webhook;
  ask: (asked: Asked) => void;
}

/** A webhook: where it leads, what it sends, and whether that arrives. */
function WebhookRow({ slug, webhook, frozen, ask }: WebhookRowProps) {
  const [busy, setBusy] = useState(false);
  const name = plain(webhook.name);
  const test = async () => {
    setBusy(true);
    try {
      const { state, attempts } = await testWebhook(slug, webhook.id);
      const last = attempts.at(-1);
      if (state === 'sent') toast(t('testArrived', { name, status: last?.status ?? '' }));
      else toast(t('testFailed', { why: lineOf(last) }), { tone: 'bad' });
      await refresh(webhooksQuery(slug).queryKey, ['webhook-deliveries', slug, webhook.id]);
    } catch (problem) {
      toastProblem(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Row
      glyph={<Icon of={WebhookIcon} size={14} />}
      title={name}
      href={`/o/${slug}/settings/webhooks?webhook=${webhook.id}`}
      dimmed={webhook.disabled}
      tags={
        webhook.disabled ? (
          <Chip tone="bad">{t('disabled')}</Chip>
        ) : webhook.problem ? (
          <Chip tone="bad">{t('silent')}</Chip>
        ) : (
          webhook.failingSince && <Chip tone="warn">{t('failing')}</Chip>
        )
      }
      detail={
        <>
          {[
            plain(hostOf(webhook.url)),
            t('eventCount', { n: webhook.events.length }),
            webhook.projects.join(', ') || t('allProjects'),
          ].join(' · ')}
          <State webhook={webhook} />
        </>
      }
      actions={
        <>
          <Button size="small" busy={busy} refusal={frozen} onClick={() => void test()}>
            {t('test')}
          </Button>
          <Menu
            align="end"
            entries={() => entries(slug, webhook, ask, frozen)}
            trigger={(props) => (
              <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
            )}
          />
        </>
      }
    />
  );
}

/** What its owner should know of it. */
function State({
  webhook: { disabled, disabledReason, problem, failingSince, formerSecretUntil },
}: {
  webhook: Webhook;
}) {
  if (disabled)
    return (
      <span className={broken.broken}>{t('disabledBecause', { why: plain(disabledReason ?? '') })}</span>
    );
  if (problem) return <span className={broken.broken}>{plain(problem)}</span>;
  if (failingSince)
    return <span className={broken.broken}>{t('failingSince', { at: clockTime(failingSince) })}</span>;
  if (formerSecretUntil && Date.parse(formerSecretUntil) > Date.now())
    return <span className={broken.note}>{t('formerUntil', { at: clockTime(formerSecretUntil) })}</span>;
  return null;
}

function entries(
  slug: string,
  webhook: Webhook,
  ask: (asked: Asked) => void,
  refusal: string | undefined,
): MenuEntries {
  const enable = () =>
    void act(() => changeWebhook(slug, webhook, { disabled: false }), webhooksQuery(slug).queryKey);
  return [
    { label: t('edit'), refusal, run: () => ask({ what: 'edit', webhook }) },
    { label: t('rotate'), refusal, run: () => ask({ what: 'rotate', webhook }) },
    '-',
    webhook.disabled
      ? { label: t('enable'), refusal, run: enable }
      : { label: t('disable'), refusal, danger: true, run: () => ask({ what: 'disable', webhook }) },
    { label: t('remove'), refusal, danger: true, run: () => ask({ what: 'delete', webhook }) },
  ];
}

function Asking({
  slug,
  asked,
  ask,
}: {
  slug: string;
  asked: Asked;
  ask: (asked: Asked | undefined) => void;
}) {
  const { lead, close } = useLeading(ask);
  const { queryKey } = webhooksQuery(slug);
  if (asked.what === 'new')
    return <WebhookForm slug={slug} onMade={(made) => lead({ what: 'made', made })} onClose={close} />;
  if ('made' in asked)
    return (
      <ShownOnce
        title={t(asked.what, { name: plain(asked.made.webhook.name) })}
        label={t('secret')}
        value={asked.made.secret}
        next={t(`${asked.what}Next`)}
        done={t('done')}
        onClose={() => ask(undefined)}
      />
    );
  const { webhook } = asked;
  const name = plain(webhook.name);
  if (asked.what === 'edit')
    return <WebhookForm slug={slug} webhook={webhook} onMade={() => {}} onClose={close} />;
  const doing = {
    rotate: async () => {
      lead({ what: 'rotated', made: await rotateWebhook(slug, webhook.id) });
    },
    disable: () => changeWebhook(slug, webhook, { disabled: true }),
    delete: () => deleteWebhook(slug, webhook.id),
  }[asked.what];
  return (
    <Confirm
      open
      onClose={close}
      title={t(`${asked.what}Title`, { name })}
      action={t(asked.what === 'delete' ? 'remove' : asked.what)}
      danger={asked.what !== 'rotate'}
      run={async () => {
        await doing();
        await refresh(queryKey);
      }}
    >
      <p>{t(`${asked.what}Detail`)}</p>
    </Confirm>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
