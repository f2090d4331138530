/** Webhooks of an organization, and what they sent. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type Webhook = Schemas['OutboundWebhook'];
export type WebhookEvent = Schemas['WebhookEvent'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type NewWebhook = Schemas['NewOutboundWebhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];

/** Deliveries that the service answers at a time. */
const PAGE = 50;
/** How often deliveries that are under way are looked at again, in milliseconds. */
const LOOK = 2_000;
/** How soon the next attempt has to be for that, in milliseconds. */
const SOON = 60_000;

export const webhooksQuery = (slug: string) =>
  queryOptions({
    queryKey: ['webhooks', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/webhooks', { params: { path: { slug } } })),
  });

export const deliveriesQuery = (slug: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhook-deliveries', slug, id],
    queryFn: ({ pageParam }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/webhooks/{id}/deliveries', {
          params: { path: { slug, id }, query: pageParam ? { before: pageParam } : {} },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isUnderWay) ? LOOK : false),
  });

function isUnderWay({ state, nextAttemptAt }: WebhookDelivery): boolean {
  return state === 'waiting' && (!nextAttemptAt || Date.parse(nextAttemptAt) - Date.now() < SOON);
}

export function createWebhook(slug: string, body: NewWebhook) {
  return data(http.POST('/api/v1/orgs/{slug}/webhooks', { params: { path: { slug } }, body }));
}

export function changeWebhook(
  slug: string,
  { id, version }: Webhook,
  change: Partial<NewWebhook> & { disabled?: boolean },
) {
  const params = { path: { slug, id } };
  return data(http.PATCH('/api/v1/orgs/{slug}/webhooks/{id}', { params, body: { ...change, version } }));
}

/** Answers the new secret, which is shown once. */
export function rotateWebhook(slug: string, id: string) {
  return data(http.POST('/api/v1/orgs/{slug}/webhooks/{id}/rotate', { params: { path: { slug, id } } }));
}

export function deleteWebhook(slug: string, id: string) {
  return data(http.DELETE('/api/v1/orgs/{slug}/webhooks/{id}', { params: { path: { slug, id } } }));
}

/** Answers how the test went. */
export function testWebhook(slug: string, id: string) {
  return data(http.POST('/api/v1/orgs/{slug}/webhooks/{id}/test', { params: { path: { slug, id } } }));
}

export function replayDelivery(slug: string, id: string, delivery: string) {
  const params = { path: { slug, id, delivery } };
  return data(http.POST('/api/v1/orgs/{slug}/webhooks/{id}/deliveries/{delivery}/replay', { params }));
}
