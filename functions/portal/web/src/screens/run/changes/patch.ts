/** Reads a patch in git's unified format: which lines of which files changed. Pure. */
import type { ChangedFile } from '@/api/types';
import type { Hunk } from '@/ui/diff/diff-rows';

export interface FilePatch {
  file: ChangedFile;
  hunks: Hunk[];
  /** Lines that are drawn when it is open. */
  size: number;
  binary: boolean;
  /** What changed beside lines: it is new, gone, or has another mode. */
  remark: 'new' | 'deleted' | 'mode' | undefined;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const KINDS = { '+': 'added', '-': 'removed', ' ': 'context' } as const;

/**
 * The files of a patch, in its order. Their names come from the list of files, which is in the same order: in the patch
 * itself names with unusual characters are quoted in git's own way.
 */
export function filesOf(patch: string, files: readonly ChangedFile[]): FilePatch[] {
  const sections = sectionsOf(patch);
  // Where they do not correspond, nobody can tell whose lines are whose: then none are shown.
  const known = sections.length === files.filter((file) => file.inPatch).length;
  let next = 0;
  return files.map((file) => {
    const inPatch = file.inPatch && known;
    return read({ ...file, inPatch }, inPatch ? (sections[next++] ?? []) : []);
  });
}

/**
 * The lines of each file. Only a line feed ends a line of a patch, whatever else ends lines of text. A file that became a
 * link, or the other way round, has two headings in a row that are the same.
 */
function sectionsOf(patch: string): string[][] {
  const sections: string[][] = [];
  let heading: string | undefined;
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ') && line !== heading) {
      sections.push([]);
      heading = line;
    }
    sections.at(-1)?.push(line);
  }
  return sections;
}

function read(file: ChangedFile, section: readonly string[]): FilePatch {
  const hunks: Hunk[] = [];
  let remark: FilePatch['remark'];
  let hunk: Hunk | undefined;
  for (const line of section) {
    const opening = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      hunk = undefined;
    } else if (opening) {
      hunk = { oldStart: Number(opening[1]), newStart: Number(opening[2]), lines: [] };
      hunks.push(hunk);
    } else if (!hunk) {
      if (line.startsWith('new file mode')) remark = remark === 'deleted' ? 'mode' : 'new';
      else if (line.startsWith('deleted file mode')) remark = 'deleted';
      else if (line.startsWith('new mode')) remark = 'mode';
    } else {
      const kind = KINDS[line[0] as keyof typeof KINDS];
      // The rest is "\\ No newline at end of file", and the end of the text.
      if (kind) hunk.lines.push({ kind, text: line.slice(1) });
    }
  }
  const size = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return { file, hunks, size, binary: file.additions === null, remark };
}

/** Lines of a file after which it is closed at first, and lines of all open files together. */
const LARGE = 400;
const TOGETHER = 3_000;
/** Files that are written by programs. */
const GENERATED = /(^|\/)(package-lock\.json|[^/]+\.lock|go\.sum|[^/]+\.(snap|min\.js|min\.css|map))$/;

/** Which files are open at first: small ones that people wrote, until there is enough to read. */
export function openAtFirst(files: readonly FilePatch[]): boolean[] {
  let lines = 0;
  return files.map(({ file, size }) => {
    const open = size > 0 && size <= LARGE && lines + size <= TOGETHER && !GENERATED.test(file.path);
    if (open) lines += size;
    return open;
  });
}

const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is shown.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** A line of code with what would hide or turn parts of it spelled out, so that a reviewer sees what a compiler does. */
export function spelledOut(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\r'
      ? ''
      : `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
