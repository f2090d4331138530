/** What people are told, where and when: preferences, channels, and what an organization sets for everybody. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type Mode = Schemas['NotificationMode'];
export type Kind = Schemas['NotificationKind'];
export type Platform = Schemas['ChannelType'];
export type Preference = Schemas['NotificationPreference'];
export type Default = Schemas['NotificationDefault'];
export type Channel = Schemas['NotificationChannel'];
export type OrganizationChannel = Schemas['OrgNotificationChannel'];
/** What connecting a channel answers: with the code and the link where somebody has to enter it. */
export interface Connected {
  channel: Pick<Channel, 'id' | 'type' | 'status'>;
  connectCode?: string | null;
  connectUrl?: string | null;
  expiresAt?: string | null;
}
export type Mute = Schemas['Mute'];
export type Settings = Schemas['NotificationSettings'];
export type InForce = Schemas['NotificationInForce'];

const SETTINGS = ['notification-settings'];
const OWN = ['notification-preferences'];
const CHANNELS = ['notification-channels'];

export const preferencesQuery = queryOptions({
  queryKey: OWN,
  queryFn: () => data(http.GET('/api/v1/me/notification-preferences')),
});

/** Writes whole entries: a field that is left out would be emptied. */
export function writePreferences(body: Preference[]) {
  return data(http.PUT('/api/v1/me/notification-preferences', { body }));
}

/** When digests are sent, and what the person does not want to hear of. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS,
  queryFn: () => data(http.GET('/api/v1/me/notification-settings')),
  staleTime: 5 * 60_000,
});

export function writeSettings(body: { digestHour?: number; timeZone?: string; mutes?: Mute[] }) {
  return data(http.PATCH('/api/v1/me/notification-settings', { body }));
}

export const channelsQuery = queryOptions({
  queryKey: CHANNELS,
  queryFn: () => data(http.GET('/api/v1/me/notification-channels')),
});

export function connectChannel(type: Platform, webhookUrl?: string) {
  return data(
    http.POST('/api/v1/me/notification-channels', { body: { type, ...(webhookUrl && { webhookUrl }) } }),
  );
}

export function testChannel(id: string) {
  return data(http.POST('/api/v1/me/notification-channels/{id}/test', { params: { path: { id } } }));
}

export function removeChannel(id: string) {
  return data(http.DELETE('/api/v1/me/notification-channels/{id}', { params: { path: { id } } }));
}

export const organizationChannelsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['organization-channels', slug],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/notification-channels', { params: { path: { slug } } })),
  });

export function createOrganizationChannel(
  slug: string,
  body: { type: Platform; name: string; webhookUrl?: string },
) {
  return data(http.POST('/api/v1/orgs/{slug}/notification-channels', { params: { path: { slug } }, body }));
}

export function changeOrganizationChannel(
  slug: string,
  id: string,
  body: { name?: string; modes?: OrganizationChannel['modes'] },
) {
  const params = { path: { slug, id } };
  return data(http.PATCH('/api/v1/orgs/{slug}/notification-channels/{id}', { params, body }));
}

export function testOrganizationChannel(slug: string, id: string) {
  const params = { path: { slug, id } };
  return data(http.POST('/api/v1/orgs/{slug}/notification-channels/{id}/test', { params }));
}

export function removeOrganizationChannel(slug: string, id: string) {
  const params = { path: { slug, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/notification-channels/{id}', { params }));
}

export const defaultsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['notification-defaults', slug],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/notification-defaults', { params: { path: { slug } } })),
  });

/** Replaces all of them. */
export function writeDefaults(slug: string, defaults: Default[]) {
  return data(
    http.PUT('/api/v1/orgs/{slug}/notification-defaults', { params: { path: { slug } }, body: { defaults } }),
  );
}
