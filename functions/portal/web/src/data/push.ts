/** The browsers in which the person is told. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type PushSubscriptions = Schemas['PushSubscriptions'];
export type ToldBrowser = Schemas['PushSubscription'];

export const pushQuery = queryOptions({
  queryKey: ['push-subscriptions'],
  queryFn: () => data(http.GET('/api/v1/me/push-subscriptions')),
});

export function createSubscription(body: Schemas['NewPushSubscription']) {
  return data(http.POST('/api/v1/me/push-subscriptions', { body }));
}

export function removeSubscription(id: string) {
  return data(http.DELETE('/api/v1/me/push-subscriptions/{id}', { params: { path: { id } } }));
}

export function testSubscription(id: string) {
  return data(http.POST('/api/v1/me/push-subscriptions/{id}/test', { params: { path: { id } } }));
}
