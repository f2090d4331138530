// Writes each text file of the build compressed beside itself, with Brotli and gzip, and removes what an earlier
// build left in assets/. What does not become smaller is not written.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist', import.meta.url).pathname;
const TEXTS = /\.(html|js|css|svg|json|webmanifest|txt)$/;

for (const name of files(dist)) {
  if (!TEXTS.test(name)) continue;
  const plain = readFileSync(name);
  const brotli = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  });
  write(`${name}.br`, brotli, plain);
  write(`${name}.gz`, gzipSync(plain, { level: 9 }), plain);
}

function write(name, compressed, plain) {
  rmSync(name, { force: true });
  if (compressed.length < plain.length) writeFileSync(name, compressed);
}

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}
