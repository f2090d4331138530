/**
 * Asks by path and method, with the types of openapi-fetch and no more of it than the app uses: parameters in the path and
 * the query, bodies and answers in JSON.
 */
import type { Client } from 'openapi-fetch';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Asked {
  params?: { path?: Values; query?: Values };
  body?: unknown;
  headers?: HeadersInit;
}

type Values = Record<string, unknown>;

/** A client of the API whose paths these are. `send` answers what is in order, and throws everything else. */
export function typedClient<Paths extends object>(
  origin: string,
  send: (request: Request) => Promise<Response>,
): Pick<Client<Paths>, Method> {
  const by =
    (method: Method) =>
    async (path: string, asked: Asked & RequestInit = {}) => {
      const { params, body, headers, ...init } = asked;
      const request = new Request(`${origin}${addressOf(path, params)}`, {
        ...init,
        method,
        ...written(body, headers),
      });
      const response = await send(request);
      const text = await response.text();
      return { data: text === '' ? undefined : JSON.parse(text), response };
    };
  const methods = {
    GET: by('GET'),
    POST: by('POST'),
    PUT: by('PUT'),
    PATCH: by('PATCH'),
    DELETE: by('DELETE'),
  };
  return methods as unknown as Pick<Client<Paths>, Method>;
}

function written(body: unknown, headers?: HeadersInit): RequestInit {
  if (body === undefined) return headers ? { headers } : {};
  const all = new Headers(headers);
  if (!all.has('content-type')) all.set('content-type', 'application/json');
  return { body: JSON.stringify(body), headers: all };
}

/** Fills a path. What has no value is left out of the query; a list is its name once a value. */
function addressOf(
  path: string,
  { path: places = {}, query = {} }: NonNullable<Asked['params']> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(places[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
  );
  return pairs.length ? `${filled}?${pairs.join('&')}` : filled;
}
