/** A prompt as it was sent, taken apart: instructions, and texts of people between their BEGIN and END lines. Pure. */

interface PromptPart {
  /** What the text is, where somebody wrote it: `description`, `comment by Ada (Member) at …`. */
  untrusted: string | undefined;
  text: string;
}

const EDGE = /^----- (BEGIN|END) (.+) ([0-9a-f-]{36}) -----$/;

/** Only lines with this run's id are edges: a text cannot end its own fence. */
export function promptParts(prompt: string, run: string): PromptPart[] {
  const parts: PromptPart[] = [];
  let untrusted: string | undefined;
  let lines: string[] = [];
  const close = (next: string | undefined) => {
    if (lines.join('').trim() !== '') parts.push({ untrusted, text: lines.join('\n') });
    lines = [];
    untrusted = next;
  };
  for (const line of prompt.split('\n')) {
    const edge = EDGE.exec(line);
    if (edge?.[1] === 'BEGIN' && untrusted === undefined && isOf(edge[3], run, prompt)) close(edge[2]);
    else if (edge?.[1] === 'END' && untrusted === edge[2]) close(undefined);
    else lines.push(line);
  }
  close(undefined);
  return parts;
}

/** A run that continues is told the prompt of the run before it, with that run's id. */
function isOf(id: string | undefined, run: string, prompt: string): boolean {
  return id === run || prompt.startsWith('Your session was cut off');
}
