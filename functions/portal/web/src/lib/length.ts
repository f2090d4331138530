/** How long texts may be, in the characters that the service counts. */

export const MOST = { title: 300, comment: 50_000, body: 100_000 } as const;

/** The number of characters of a text; those outside the basic plane count once. */
export function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) {
      pairs++;
      at++;
    }
  }
  return text.length - pairs;
}
