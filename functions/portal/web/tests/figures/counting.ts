/** Stands before the service and counts the streams that a browser holds: shared workers show theirs to no test. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../service';

export class Counting {
  readonly url: string;
  /** The most streams that were open at the same time. */
  most = 0;
  readonly #server: Server;
  #open = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async before(service: Service): Promise<Counting> {
    const server = createServer((asked, answer) => {
      const { method, url, headers } = asked;
      const passed = request(new URL(url ?? '/', service.url), { method, headers }, (found) => {
        if (found.headers['content-type']?.startsWith('text/event-stream')) counting.#count(answer);
        answer.writeHead(found.statusCode ?? 502, found.headers);
        found.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const counting = new Counting(server);
    return counting;
  }

  #count(answer: NodeJS.EventEmitter): void {
    this.most = Math.max(this.most, ++this.#open);
    answer.once('close', () => this.#open--);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
