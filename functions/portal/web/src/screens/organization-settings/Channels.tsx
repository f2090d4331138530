import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import {
  changeOrganizationChannel,
  createOrganizationChannel,
  type Kind,
  type Mode,
  type OrganizationChannel,
  organizationChannelsQuery,
  type Platform,
  removeOrganizationChannel,
  testOrganizationChannel,
} from '@/data/notifications';
import { plain } from '@/lib/text';
import { exactly } from '@/lib/times';
import { ChannelRow } from '@/notifications/ChannelRow';
import { ConnectChannel } from '@/notifications/ConnectChannel';
import { KindTable } from '@/notifications/KindTable';
import { ORGANIZATION_PLATFORMS } from '@/notifications/kinds';
import { ModeSelect } from '@/notifications/ModeSelect';
import { sharedName } from '@/notifications/names';
import { t as words } from '@/notifications/strings';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import settings from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { t } from './notification-strings';
import type { OfOrganization } from './section';

interface Connecting {
  type: Platform;
  name: string;
}

/** Chats that are told of what happens in the organization. */
export default function Channels({ slug, frozen }: OfOrganization) {
  const query = organizationChannelsQuery(slug);
  const { data: found, error, refetch } = useQuery(query);
  const client = useQueryClient();
  const [connecting, connect] = useState<Connecting>();
  const changed = () => void refresh(query.queryKey);
  const begin = () => connect({ type: 'chat_2', name: '' });
  useCommands([{ id: 'channel.new', title: t('newChannel'), group: 'general', refusal: frozen, run: begin }]);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!found) return <Skeleton label={common('loading')} rows={4} height={44} />;
  const { channels, kinds, chat1Available, mail } = found;
  const offered = ORGANIZATION_PLATFORMS.filter((platform) => platform !== 'chat_1' || chat1Available);
  return (
    <Section
      title={t('channels')}
      about={t('channelsAbout')}
      actions={
        <Button size="small" kind="primary" icon={Plus} refusal={frozen} onClick={begin}>
          {t('newChannel')}
        </Button>
      }
    >
      {mail && (!mail.available || mail.failingSince) && (
        <Banner kind="warn">
          {mail.failingSince
            ? t('mailFails', { since: exactly(mail.failingSince), why: plain(mail.error ?? '') })
            : t('mailOff')}
        </Banner>
      )}
      <div className={settings.card}>
        {channels.length === 0 && <p className={settings.empty}>{t('noChannel')}</p>}
        <Rows label={t('channels')}>
          {channels.map((channel) => (
            <ChannelRow
              key={channel.id}
              type={channel.type}
              name={channel.name}
              channel={channel}
              frozen={frozen}
              test={() => testOrganizationChannel(slug, channel.id)}
              remove={() => removeOrganizationChannel(slug, channel.id)}
              onConnect={() => connect({ type: channel.type, name: channel.name })}
              onChange={changed}
            />
          ))}
        </Rows>
      </div>
      {channels.map((channel) => (
        <Modes key={channel.id} slug={slug} channel={channel} kinds={kinds} frozen={frozen} />
      ))}
      {connecting && (
        <ConnectChannel
          key={connecting.type}
          group
          type={connecting.type}
          connect={(url) =>
            createOrganizationChannel(slug, {
              type: connecting.type,
              name: connecting.name.trim(),
              ...(url && { webhookUrl: url }),
            })
          }
          isActive={async (id) => {
            const { channels } = await client.fetchQuery({ ...query, staleTime: 0 });
            return channels.some((channel) => channel.id === id && channel.status === 'active');
          }}
          onChange={changed}
          onClose={() => connect(undefined)}
        >
          <SelectField
            label={t('platform')}
            value={connecting.type}
            onChange={({ target }) => connect({ ...connecting, type: target.value as Platform })}
          >
            {offered.map((platform) => (
              <option key={platform} value={platform}>
                {words(platform)}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            required
            maxLength={80}
            value={connecting.name}
            onChange={({ target }) => connect({ ...connecting, name: target.value })}
          />
        </ConnectChannel>
      )}
    </Section>
  );
}

interface ModesProps extends Pick<OfOrganization, 'slug' | 'frozen'> {
  channel: OrganizationChannel;
  kinds: readonly Kind[];
}

/** When a channel is told of what. A kind that is not named is never told. */
function Modes({ slug, channel, kinds, frozen }: ModesProps) {
  const label = t('modes', { name: plain(channel.name) });
  const set = (kind: Kind, mode: Mode) =>
    void act(
      () => changeOrganizationChannel(slug, channel.id, { modes: { ...channel.modes, [kind]: mode } }),
      organizationChannelsQuery(slug).queryKey,
    );
  return (
    <Section title={label}>
      <KindTable
        label={label}
        entries={kinds.map((kind) => ({ kind }))}
        nameOf={sharedName}
        columns={[
          {
            id: 'mode',
            name: words(channel.type),
            cell: ({ kind }, named) => (
              <ModeSelect
                label={named}
                value={channel.modes[kind] ?? 'off'}
                refusal={frozen}
                onChange={(mode) => mode && set(kind, mode)}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
