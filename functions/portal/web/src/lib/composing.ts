/**
 * Whether a press of a key belongs to an input method, which composes a letter with it: Enter takes a candidate and Escape
 * drops it. Safari ends the composition before it tells of the last press, and names that one by 229 alone.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
