/** What people are told, where and when: preferences, channels, and what an organization sets for everybody. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

export type Kind = components['schemas']['NotificationKind'];
export type Mode = 'off' | 'immediate' | 'digest';
export type Platform = 'chat_1' | 'chat_2' | 'chat_3';

/** Modes of the chats; nothing follows something else. */
type ChatModes = { [platform in Platform]?: Mode | null };

export interface Preference extends ChatModes {
  kind: Kind;
  inApp: boolean;
  email: Mode;
}

export interface Default extends ChatModes {
  kind: Kind;
  email?: Mode | null;
}

export interface Channel {
  id: string;
  type: Platform;
  status: 'pending' | 'active' | 'broken';
  target: string;
  lastError: string | null;
  connectedAt: string | null;
  createdAt: string;
}

export interface OrganizationChannel extends Channel {
  name: string;
  modes: { [kind in Kind]?: Mode };
}

interface Channels {
  chat1Available: boolean;
  channels: Channel[];
}

interface OrganizationChannels {
  chat1Available: boolean;
  kinds: Kind[];
  channels: OrganizationChannel[];
}

/** What connecting a channel answers: with the code and the link where somebody has to enter it. */
export interface Connected {
  channel: Pick<Channel, 'id' | 'type' | 'status'>;
  connectCode?: string | null;
  connectUrl?: string | null;
  expiresAt?: string | null;
}

export interface Mute {
  what: 'item' | 'project' | 'agent';
  organizationId?: string;
  key?: string;
  agentId?: string;
}

interface Settings {
  digestHour: number;
  timeZone: string;
  mutes: Mute[];
}

type Call = <T>(path: string, init?: object) => Promise<{ data?: T }>;
/** The routes of sections 2.7 and 4.1, by the shapes above. */
const { GET, PUT, POST, PATCH, DELETE } = http as unknown as Record<
  'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
  Call
>;

const SETTINGS = ['notification-settings'];
const OWN = ['notification-preferences'];
const CHANNELS = ['notification-channels'];

export const preferencesQuery = queryOptions({
  queryKey: OWN,
  queryFn: () => data(GET<Preference[]>('/api/v1/me/notification-preferences')),
});

/** Writes whole entries: a field that is left out would be emptied. */
export function writePreferences(body: Preference[]) {
  return data(PUT<Preference[]>('/api/v1/me/notification-preferences', { body }));
}

/** When digests are sent, and what the person does not want to hear of. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS,
  queryFn: () => data(GET<Settings>('/api/v1/me/notification-settings')),
  staleTime: 5 * 60_000,
});

export function writeSettings(body: { digestHour?: number; timeZone?: string; mutes?: Mute[] }) {
  return data(PATCH<Settings>('/api/v1/me/notification-settings', { body }));
}

export const channelsQuery = queryOptions({
  queryKey: CHANNELS,
  queryFn: () => data(GET<Channels>('/api/v1/me/notification-channels')),
});

export function connectChannel(type: Platform, webhookUrl?: string) {
  return data(
    POST<Connected>('/api/v1/me/notification-channels', {
      body: { type, ...(webhookUrl && { webhookUrl }) },
    }),
  );
}

export function testChannel(id: string) {
  return data(POST('/api/v1/me/notification-channels/{id}/test', { params: { path: { id } } }));
}

export function removeChannel(id: string) {
  return data(DELETE('/api/v1/me/notification-channels/{id}', { params: { path: { id } } }));
}

export const organizationChannelsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['organization-channels', slug],
    queryFn: () =>
      data(
        GET<OrganizationChannels>('/api/v1/orgs/{slug}/notification-channels', {
          params: { path: { slug } },
        }),
      ),
  });

export function createOrganizationChannel(
  slug: string,
  body: { type: Platform; name: string; webhookUrl?: string },
) {
  return data(
    POST<Connected>('/api/v1/orgs/{slug}/notification-channels', { params: { path: { slug } }, body }),
  );
}

export function changeOrganizationChannel(
  slug: string,
  id: string,
  body: { name?: string; modes?: OrganizationChannel['modes'] },
) {
  const params = { path: { slug, id } };
  return data(PATCH<OrganizationChannel>('/api/v1/orgs/{slug}/notification-channels/{id}', { params, body }));
}

export function testOrganizationChannel(slug: string, id: string) {
  const params = { path: { slug, id } };
  return data(POST('/api/v1/orgs/{slug}/notification-channels/{id}/test', { params }));
}

export function removeOrganizationChannel(slug: string, id: string) {
  const params = { path: { slug, id } };
  return data(DELETE('/api/v1/orgs/{slug}/notification-channels/{id}', { params }));
}

export const defaultsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['notification-defaults', slug],
    queryFn: () =>
      data(GET<Default[]>('/api/v1/orgs/{slug}/notification-defaults', { params: { path: { slug } } })),
  });

/** Replaces all of them. */
export function writeDefaults(slug: string, defaults: Default[]) {
  return data(
    PUT<Default[]>('/api/v1/orgs/{slug}/notification-defaults', {
      params: { path: { slug } },
      body: { defaults },
    }),
  );
}
