/**
 * A push service on loopback, and the browser behind it. It checks what the standards ask of a message (RFC 8030 and
 * 8292) and decrypts it (RFC 8188 and 8291) by Node's own means.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Pushed {
  headers: IncomingHttpHeaders;
  /** What the browser decrypted. */
  text: string;
}

export class PushService {
  readonly pushed: Pushed[] = [];
  /** What the next messages are answered with. */
  status = 201;
  readonly #server: Server;
  readonly #browser: ECDH;
  readonly #auth = randomBytes(16);

  private constructor() {
    this.#browser = createECDH('prime256v1');
    this.#browser.generateKeys();
    this.#server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { headers } = request;
        try {
          this.#check(headers);
          if (this.status < 300)
            this.pushed.push({ headers, text: this.#decrypted(Buffer.concat(parts)).toString() });
          response.writeHead(this.status).end();
        } catch (error) {
          response.writeHead(400).end(String(error));
        }
      });
    });
  }

  static async start(): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  stop(): void {
    this.#server.close();
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What a browser says that is subscribed here. */
  get subscription(): { endpoint: string; p256dh: string; auth: string } {
    const p256dh = this.#browser.getPublicKey().toString('base64url');
    return { endpoint: `${this.#origin}/push/abcdef`, p256dh, auth: this.#auth.toString('base64url') };
  }

  #check(headers: IncomingHttpHeaders): void {
    const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const signed = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    if (!signed) throw new Error('The signature is wrong.');
    const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    if (aud !== this.#origin) throw new Error(`It is for ${aud}.`);
    if (Number(exp) * 1000 > Date.now() + 86_400_000) throw new Error('It counts for too long.');
    if (!/^\d+$/.test(headers.ttl as string)) throw new Error('It has no TTL.');
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error('It has another encoding.');
  }

  #decrypted(body: Buffer): Buffer {
    const salt = body.subarray(0, 16);
    const length = body[20] ?? 0;
    const sender = body.subarray(21, 21 + length);
    const record = body.subarray(21 + length);
    const derived = (secret: Buffer, salted: Buffer, info: Buffer | string, bytes: number) =>
      Buffer.from(hkdfSync('sha256', secret, salted, info, bytes));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#browser.getPublicKey(), sender]);
    const secret = derived(this.#browser.computeSecret(sender), this.#auth, info, 32);
    const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
    const opening = createDecipheriv('aes-128-gcm', key, nonce);
    opening.setAuthTag(record.subarray(-16));
    const text = Buffer.concat([opening.update(record.subarray(0, -16)), opening.final()]);
    const end = text.lastIndexOf(2);
    return text.subarray(0, end);
  }
}
