/** Remarks on lines of a change: kept as a draft while they are collected, and made into one comment. */
import { useMemo } from 'react';
import { useDraft } from '@/store/drafts';

export interface Note {
  path: string;
  /** `old` for a line that was removed. */
  side: 'old' | 'new';
  line: number;
  /** The line itself. */
  code: string;
  text: string;
}

export type Place = Pick<Note, 'path' | 'side' | 'line'>;

export const samePlace = (a: Place, b: Place) => a.path === b.path && a.side === b.side && a.line === b.line;

/** The remarks of a run's change, which a closed tab does not lose. */
export function useNotes(run: string) {
  const draft = useDraft(`review/${run}`);
  const notes = useMemo(() => read(draft.text), [draft.text]);
  const store = (next: Note[]) => (next.length > 0 ? draft.write(JSON.stringify(next)) : draft.clear());
  const others = (place: Place) => notes.filter((note) => !samePlace(note, place));
  return {
    notes,
    put: (note: Note) => store([...others(note), note]),
    remove: (place: Place) => store(others(place)),
    clear: draft.clear,
  };
}

function read(text: string): Note[] {
  try {
    return text === '' ? [] : (JSON.parse(text) as Note[]);
  } catch {
    return [];
  }
}

/** The comment that says it all, in the order of files and lines. With an agent, it asks the agent for a follow-up. */
export function commentOf(
  notes: readonly Note[],
  files: readonly string[],
  agent: string | undefined,
): string {
  const sorted = [...notes].sort(
    (a, b) => files.indexOf(a.path) - files.indexOf(b.path) || a.line - b.line || (a.side < b.side ? 1 : -1),
  );
  const parts = sorted.map((note) => {
    const where = `${inline(note.path)}, ${note.side === 'old' ? 'removed line' : 'line'} ${note.line}:`;
    return [where, fenced(note.code), note.text.trim()].join('\n\n');
  });
  return (agent === undefined ? parts : [`@${agent} Please change this:`, ...parts]).join('\n\n');
}

/** A text as code on one line, whatever backticks it has. */
function inline(text: string): string {
  const fence = '`'.repeat(longest(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

function fenced(code: string): string {
  const fence = '`'.repeat(Math.max(3, longest(code) + 1));
  return `${fence}\n${code}\n${fence}`;
}

/** The longest run of backticks. */
function longest(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
