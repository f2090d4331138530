/**
 * A tab's way to the streams: a shared worker holds them for all tabs. Where there is none, the tab that gets the
 * lock of a topic holds its stream and repeats it to the others.
 */
import { insist, LONGEST_WAIT, pause } from '@/lib/parts';
import { workerAddress } from '@/lib/trusted';
import type { Subscription, Told } from './engine';
import type { FromTab } from './messages';
import worker from './shared-worker?sharedworker&url';

interface Hub {
  listen(subscription: Subscription, listener: (told: Told) => void): () => void;
}

let hub: Hub | undefined;

/** The hub of this tab. */
export function theHub(): Hub {
  hub ??= typeof SharedWorker === 'function' ? sharedHub() : leadingHub();
  return hub;
}

function sharedHub(): Hub {
  const listeners = new Map<string, { subscription: Subscription; listener: (told: Told) => void }>();
  const lock = `svc.hub.${crypto.randomUUID()}`;
  void navigator.locks?.request(lock, () => new Promise(() => {}));
  let failures = 0;
  const connect = (): MessagePort => {
    const shared = new SharedWorker(workerAddress(worker), { type: 'module', name: 'svc' });
    shared.port.onmessage = ({ data }: MessageEvent<Told>) => listeners.get(data.topic)?.listener(data);
    // Its file did not come. Nothing would tell of changes without it.
    shared.addEventListener('error', () => {
      void pause(Math.min(LONGEST_WAIT, 1_000 * 2 ** failures++)).then(() => {
        port = connect();
        for (const { subscription } of listeners.values()) send({ do: 'listen', ...subscription });
      });
    });
    shared.port.postMessage({ do: 'hello', topic: '', lock } satisfies FromTab);
    return shared.port;
  };
  let port = connect();
  const send = (message: FromTab) => port.postMessage(message);
  addEventListener('pagehide', () => send({ do: 'bye', topic: '' }));
  return {
    listen(subscription, listener) {
      listeners.set(subscription.topic, { subscription, listener });
      send({ do: 'listen', ...subscription });
      return () => {
        listeners.delete(subscription.topic);
        send({ do: 'stop', topic: subscription.topic });
      };
    },
  };
}

function leadingHub(): Hub {
  // Only browsers without shared workers load it here.
  const engine = insist(() => import('./engine')).then(({ Engine }) => new Engine());
  const channel = new BroadcastChannel('svc.hub');
  return {
    listen(subscription, listener) {
      const gone = new AbortController();
      const hear = ({ data }: MessageEvent<Told>) => data.topic === subscription.topic && listener(data);
      channel.addEventListener('message', hear);
      const lead = async () => {
        const streams = await engine;
        return new Promise<void>((resolve) => {
          const stop = streams.listen(subscription, (told) => {
            listener(told);
            channel.postMessage(told);
          });
          const end = () => {
            stop();
            resolve();
          };
          gone.signal.addEventListener('abort', end, { once: true });
        });
      };
      const led =
        navigator.locks?.request(`svc.stream.${subscription.topic}`, { signal: gone.signal }, lead) ?? lead();
      void led.catch(() => {});
      return () => {
        channel.removeEventListener('message', hear);
        gone.abort();
      };
    },
  };
}
