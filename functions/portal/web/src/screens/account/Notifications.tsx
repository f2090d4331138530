import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '@/data/act';
import { useMe } from '@/data/me';
import {
  type Channel,
  channelsQuery,
  connectChannel,
  type Mode,
  type Preference,
  preferencesQuery,
  removeChannel,
  type Settings,
  settingsQuery,
  testChannel,
  writePreferences,
} from '@/data/notifications';
import { pushQuery } from '@/data/push';
import { plain } from '@/lib/text';
import { ChannelRow } from '@/notifications/ChannelRow';
import { ConnectChannel } from '@/notifications/ConnectChannel';
import { type KindColumn, KindTable } from '@/notifications/KindTable';
import { columnsOf, type OwnPlatform, otherwise, PLATFORMS } from '@/notifications/kinds';
import { ModeSelect } from '@/notifications/ModeSelect';
import { kindName } from '@/notifications/names';
import styles from '@/notifications/notifications.module.css';
import { t as words } from '@/notifications/strings';
import { Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { toastProblem } from '@/ui/toasts';
import settings from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { Browsers } from './Browsers';
import { DigestAndMutes } from './DigestAndMutes';
import { t } from './notification-strings';

/** What the person is told, where and when; and the channels that lead there. */
export default function Notifications() {
  const preferences = useQuery(preferencesQuery);
  const channels = useQuery(channelsQuery);
  const error = preferences.error ?? channels.error;
  if (error)
    return (
      <ProblemPanel
        error={error}
        retry={() => void Promise.all([preferences.refetch(), channels.refetch()])}
      />
    );
  if (!preferences.data || !channels.data) return <Skeleton label={common('loading')} rows={12} />;
  return (
    <>
      <Preferences entries={preferences.data} channels={channels.data.channels} />
      <Channels channels={channels.data.channels} telegram={channels.data.chat1Available} />
      <Browsers />
      <DigestAndMutes />
    </>
  );
}

function Preferences({
  entries,
  channels,
}: {
  entries: readonly Preference[];
  channels: readonly Channel[];
}) {
  const { organizations, email } = useMe();
  const client = useQueryClient();
  const operates = organizations.some(({ canOperateFactory }) => canOperateFactory);
  const { data: push } = useQuery(pushQuery);
  // Organizations change what they suggest.
  const { data: known } = useQuery({ ...settingsQuery, refetchOnMount: 'always' });
  const problem = known && mailProblemOf(known);
  const told = push?.subscriptions.length || entries.some((entry) => entry.push);
  const write = (entry: Preference) => {
    const { queryKey } = preferencesQuery;
    client.setQueryData(queryKey, (old) => old?.map((one) => (one.kind === entry.kind ? entry : one)));
    writePreferences([entry])
      .catch((error) => {
        toastProblem(error);
        void refresh(queryKey);
      })
      .finally(() => void refresh(settingsQuery.queryKey));
  };
  const shown = entries.filter(({ kind }) => operates || kind !== 'runNeedsInput');
  const silent = ({ inApp }: Preference) => (inApp ? undefined : words('silent'));
  const usual = ({ kind }: Preference, place: OwnPlatform | 'push') => {
    const mode = otherwise(known?.inForce ?? [], kind, place);
    return mode ? t('usual', { mode: words(`mode_${mode}`) }) : words('usual');
  };
  const columns: KindColumn<Preference>[] = [
    {
      id: 'inApp',
      name: words('inbox'),
      cell: (entry, label) => (
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={label}
            checked={entry.inApp}
            onChange={({ target }) => write({ ...entry, inApp: target.checked })}
          />
        </label>
      ),
    },
    {
      id: 'email',
      name: words('email'),
      cell: (entry, label) => (
        <ModeSelect
          label={label}
          value={entry.email}
          refusal={silent(entry)}
          onChange={(email) => email && write({ ...entry, email })}
        />
      ),
    },
    ...columnsOf(channels, entries).map((platform) => ({
      id: platform,
      name: words(platform),
      cell: (entry: Preference, label: string) => (
        <ModeSelect
          label={label}
          value={entry[platform] ?? null}
          none={usual(entry, platform)}
          refusal={silent(entry)}
          onChange={(mode: Mode | null) => write({ ...entry, [platform]: mode })}
        />
      ),
    })),
  ];
  if (told)
    columns.push({
      id: 'push',
      name: words('push'),
      cell: (entry, label) => (
        <ModeSelect
          label={label}
          value={entry.push ?? null}
          none={usual(entry, 'push')}
          refusal={silent(entry)}
          onChange={(push) => {
            const { push: _, ...rest } = entry;
            write(push ? { ...rest, push } : rest);
          }}
        />
      ),
    });
  return (
    <Section
      title={t('preferences')}
      about={problem ? t('preferencesAlone') : t('preferencesAbout', { email: email ?? '' })}
    >
      {problem && <Banner kind="warn">{plain(problem)}</Banner>}
      <KindTable
        label={t('preferences')}
        entries={shown}
        columns={columns}
        nameOf={kindName}
        dimmed={({ inApp }) => !inApp}
      />
    </Section>
  );
}

/** Why mail does not get to the person and what to do, where the service says so. */
function mailProblemOf(settings: Settings): string | undefined {
  return settings.mailProblem?.replaceAll('`', '');
}

function Channels({ channels, telegram }: { channels: readonly Channel[]; telegram: boolean }) {
  const [connecting, connect] = useState<OwnPlatform>();
  const client = useQueryClient();
  const changed = () => void refresh(channelsQuery.queryKey);
  const of = (platform: OwnPlatform) => channels.find(({ type }) => type === platform);
  return (
    <Section title={t('channels')} about={t('channelsAbout')}>
      <div className={settings.card}>
        <Rows label={t('channels')}>
          {PLATFORMS.map((platform) => {
            const channel = of(platform);
            return (
              <ChannelRow
                key={platform}
                type={platform}
                channel={channel}
                unavailable={platform === 'chat_1' && !telegram ? words('noTelegram') : undefined}
                test={() => testChannel(channel?.id ?? '')}
                remove={() => removeChannel(channel?.id ?? '')}
                onConnect={() => connect(platform)}
                onChange={changed}
              />
            );
          })}
        </Rows>
      </div>
      {connecting && (
        <ConnectChannel
          type={connecting}
          replaces={of(connecting) !== undefined}
          connect={(url) => connectChannel(connecting, url)}
          isActive={async (id) => {
            const { channels } = await client.fetchQuery({ ...channelsQuery, staleTime: 0 });
            return channels.some((channel) => channel.id === id && channel.status === 'active');
          }}
          onChange={changed}
          onClose={() => connect(undefined)}
        />
      )}
    </Section>
  );
}
