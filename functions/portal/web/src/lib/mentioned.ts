/** Which marks of a rendered text name somebody: the service marks every `@word`, known or not. Pure. */

/**
 * Whether a mark such as `@Ada` names one of these people, as the service reads names: in any case, with spaces, `-`,
 * `.` or nothing between their words. What follows the mark is part of a name of several words.
 */
export function namesSomebody(mark: string, following: string, names: readonly string[]): boolean {
  const text = (mark + following).slice(1).replace(/\s+/g, ' ').toLowerCase();
  return names.some((name) => waysOf(name).some((way) => text.startsWith(way) && endsWord(text, way.length)));
}

function waysOf(name: string): string[] {
  const words = name.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? [] : ['-', '.', '', ' '].map((gap) => words.join(gap));
}

function endsWord(text: string, at: number): boolean {
  return !/^[\p{L}\p{N}_]/u.test(text.slice(at));
}

/** Shows only those marks of a rendered text as mentions that name one of these people. */
export function showMentions(root: Element, names: readonly string[]): void {
  for (const mark of root.querySelectorAll<HTMLElement>('span.mention, span[data-mark]')) {
    mark.dataset.mark = '';
    const following = mark.nextSibling?.textContent ?? '';
    mark.classList.toggle('mention', namesSomebody(mark.textContent ?? '', following, names));
  }
}
