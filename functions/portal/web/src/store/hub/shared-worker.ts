/** The shared worker: holds the streams of every tab of this browser. */
import { Engine } from './engine';
import type { FromTab } from './messages';

const engine = new Engine();
const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = (event) => {
  const port = event.ports[0];
  if (!port) return;
  const stops = new Map<string, () => void>();
  const stopAll = () => {
    for (const stop of stops.values()) stop();
    stops.clear();
  };
  port.onmessage = ({ data }: MessageEvent<FromTab>) => {
    if (data.do === 'hello') {
      // A tab that ends without saying so lets go of its lock.
      void navigator.locks?.request(data.lock, () => stopAll());
      return;
    }
    if (data.do === 'bye') return stopAll();
    stops.get(data.topic)?.();
    stops.delete(data.topic);
    if (data.do === 'listen')
      stops.set(
        data.topic,
        engine.listen(data, (told) => port.postMessage(told)),
      );
  };
};
