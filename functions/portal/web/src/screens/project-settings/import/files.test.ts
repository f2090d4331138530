import { File as StreamedFile } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MOST_BYTES, pack, tooLarge } from './files';

test('files are sent compressed, byte for byte', async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256);
  // The page's own files have no stream in this environment.
  const file = new StreamedFile([bytes], 'x.csv') as unknown as File;
  const [packed] = await pack([file]);
  expect(packed?.name).toBe('x.csv');
  expect(new Uint8Array(gunzipSync(Buffer.from(packed?.gzip ?? '', 'base64')))).toEqual(bytes);
});

test('what the service would refuse is not sent', () => {
  const file = (size: number) => ({ size }) as File;
  expect(tooLarge([file(MOST_BYTES)], [{ name: 'x', gzip: 'x' }])).toBe(false);
  expect(tooLarge([file(MOST_BYTES), file(1)], [])).toBe(true);
  expect(tooLarge([file(1)], [{ name: 'x', gzip: 'x'.repeat(5_000_001) }])).toBe(true);
});
