/**
 * Why the service refused who came back from another site. It says so in a cookie for the page that it leads to: words
 * in the address could be put there by anybody's link.
 */
export interface Told {
  title: string;
  detail: string | undefined;
  trace: string | undefined;
}

const COOKIE = 'svc.told=';

/** What the service tells this page, once. */
export function told(): Told | undefined {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith(COOKIE));
  if (!cookie) return undefined;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${COOKIE}; Path=${location.pathname}; Max-Age=0`;
  const words = new URLSearchParams(cookie.slice(COOKIE.length));
  const title = words.get('title');
  if (!title) return undefined;
  return { title, detail: words.get('detail') ?? undefined, trace: words.get('trace') ?? undefined };
}
