/** Marks of Markdown that only its page turns into something: fences, emphasis, code, headings, boxes of tasks. */
const MARKS = /```[\w-]*|\*\*|__|`|(?<=^|\s)(?:#{1,6}|[-*] \[[ xX]\])(?=\s|$)/g;

/** Markdown as one line to be glanced at: its words without its marks. */
export function unmarked(markdown: string): string {
  return markdown.replaceAll(MARKS, '').replaceAll(/\s+/g, ' ');
}

/** Markdown as one line that keeps its lines apart: what a form of headings asks for. */
export function outlined(markdown: string): string {
  const lines = markdown.split('\n').map((line) => unmarked(line).trim());
  return lines.filter((line) => /\p{L}/u.test(line)).join(' · ');
}
