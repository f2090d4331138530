/** Files of an export as the service takes them: compressed, in Base64. */

/** Most bytes of all files together, and of what they are sent as. */
export const MOST_BYTES = 32 * 1024 * 1024;
export const MOST_SENT = 5_000_000;

export interface Packed {
  name: string;
  gzip: string;
}

export async function pack(files: readonly File[]): Promise<Packed[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, gzip: base64(await compressed(file)) })));
}

/** Whether files are too large to be sent. */
export function tooLarge(files: readonly File[], packed: readonly Packed[]): boolean {
  const sum = (sizes: number[]) => sizes.reduce((all, size) => all + size, 0);
  return (
    sum(files.map(({ size }) => size)) > MOST_BYTES || sum(packed.map(({ gzip }) => gzip.length)) > MOST_SENT
  );
}

async function compressed(file: Blob): Promise<Uint8Array> {
  const stream = new Response(file).body?.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A part at a time: a function takes only so many arguments. */
function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
