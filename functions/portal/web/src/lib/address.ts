/** Turns an address of this app, as a text, into what a `Link` takes. Parts of the path are encoded already. */
export function address(href: string): { to: never; search: never; hash?: string } {
  const [place = '', hash] = href.split('#');
  const [path = '', query = ''] = place.split('?');
  return {
    to: decodeURI(path) as never,
    search: Object.fromEntries(new URLSearchParams(query)) as never,
    ...(hash ? { hash } : {}),
  };
}
