import { plainLine } from './ansi';
import type { Line } from './lines';

/** The whole log as a text file. */
export function download(lines: readonly Line[], name: string): void {
  const text = lines.map(
    ([, at, stream, line]) => `${at} ${stream === 'stdout' ? '' : `[${stream}] `}${plainLine(line)}\n`,
  );
  const url = URL.createObjectURL(new Blob(text, { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
