/** Loads a page of this app anew, so that nothing of what this one holds in memory goes on. */
export function loadPage(to: string): void {
  if (to.includes('#')) {
    // The browser would only scroll to the fragment.
    history.replaceState(null, '', to);
    location.reload();
  } else {
    location.replace(to);
  }
}
