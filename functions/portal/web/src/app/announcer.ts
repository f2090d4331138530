/** Says things to screen readers: the result of a move, a copy, a page's title. One live region for the whole app. */

let region: HTMLElement | undefined;

export function announce(text: string): void {
  region ??= makeRegion();
  // The same text twice is said twice: a region that does not change is not read.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

function makeRegion(): HTMLElement {
  const element = document.createElement('div');
  element.setAttribute('role', 'status');
  element.setAttribute('aria-live', 'polite');
  element.className = 'visually-hidden';
  element.dataset.announcer = '';
  document.body.append(element);
  return element;
}
