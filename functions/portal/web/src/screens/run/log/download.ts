import { save } from '@/lib/save';
import { plainLine } from './ansi';
import type { Line } from './lines';

/** The whole log as a text file. */
export function download(lines: readonly Line[], name: string): void {
  const text = lines.map(
    ([, at, stream, line]) => `${at} ${stream === 'stdout' ? '' : `[${stream}] `}${plainLine(line)}\n`,
  );
  save(text, name, 'text/plain');
}
