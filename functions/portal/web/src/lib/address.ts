/** Turns an address of this app, as a text, into what a `Link` takes. Parts of the path are encoded already. */
export function address(href: string): { to: never; search: never } {
  const [path = '', query = ''] = href.split('?');
  return {
    to: decodeURI(path) as never,
    search: Object.fromEntries(new URLSearchParams(query)) as never,
  };
}
