/** How components read the store. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { signals } from '@/api/client';
import type { Card } from './feed';
import type { ProjectGraph } from './graph';
import { graphOf, open, reopen } from './live';
import { type Connection, connection, connectionState, follow } from './organization';
import { outbox, pendingWrites } from './outbox';

/** A project, loaded and followed while the component is there. */
export function useProject(slug: string, project: string) {
  const graph = useMemo(() => graphOf(slug, project), [slug, project]);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setError(undefined);
    const { ready, close } = open(slug, project);
    ready.catch(setError);
    return close;
  }, [slug, project]);
  const retry = useCallback(() => {
    setError(undefined);
    reopen(slug, project).catch(setError);
  }, [slug, project]);
  const loaded = useSyncExternalStore(graph.subscribe, () => graph.loaded);
  return { graph, loaded, error, retry };
}

/** All cards of a project in rank order; the component is drawn again with every change of any. */
export function useCards(graph: ProjectGraph): readonly Card[] {
  return useSyncExternalStore(graph.subscribe, () => graph.cards());
}

/** One card; drawn again only when that card changes. */
export function useCard(graph: ProjectGraph, key: string): Card | undefined {
  const subscribe = useCallback((listener: () => void) => graph.subscribeCard(key, listener), [graph, key]);
  return useSyncExternalStore(subscribe, () => graph.card(key));
}

/** One part of a card; drawn again only when that part changes. */
export function useCardField<T>(graph: ProjectGraph, key: string, field: (card: Card) => T): T | undefined {
  const subscribe = useCallback((listener: () => void) => graph.subscribeCard(key, listener), [graph, key]);
  const last = useRef<T | undefined>(undefined);
  return useSyncExternalStore(subscribe, () => {
    const card = graph.card(key);
    const value = card && field(card);
    if (JSON.stringify(value) !== JSON.stringify(last.current)) last.current = value;
    return last.current;
  });
}

/** Follows an organization while the component is there. */
export function useOrganizationStream(slug: string | undefined): void {
  useEffect(() => (slug === undefined ? undefined : follow(slug)), [slug]);
}

let reachable = true;
signals.on('reachable', (now) => {
  reachable = now;
});

/** How the stream is doing; offline, too, where the service does not answer. */
export function useConnection(): Connection {
  return useSyncExternalStore(listenToConnection, () => (reachable ? connectionState() : 'offline'));
}

function listenToConnection(listener: () => void): () => void {
  const stops = [connection.on('changed', listener), signals.on('reachable', listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** How many writes wait to be sent. */
export function usePendingWrites(): number {
  return useSyncExternalStore((listener) => outbox.on('count', listener), pendingWrites);
}
