/**
 * What is typed for a field that was asked for and is not there yet, such as the one of a picker that is still loading. It
 * goes into that field, and is no command.
 */

let awaited: { typed: string; cancel: () => void } | undefined;

/** From now on what is typed is for a field that comes. Escape cancels that. */
export function awaitField(cancel: () => void): void {
  awaited = { typed: '', cancel };
}

/** No field comes any more. */
export function forgetField(): void {
  awaited = undefined;
}

/** The field is there, and takes what was typed for it. */
export function takeTyped(): string {
  const typed = awaited?.typed ?? '';
  awaited = undefined;
  return typed;
}

/** Whether a press of a key belongs to a field that comes. */
export function typesAhead({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!awaited || ctrlKey || metaKey || key === 'Tab') return false;
  if (key === 'Escape') awaited.cancel();
  else if (key === 'Backspace') awaited.typed = awaited.typed.slice(0, -1);
  else if ([...key].length === 1) awaited.typed += key;
  return true;
}
