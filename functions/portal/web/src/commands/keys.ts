/** Turns presses of keys into commands. */
import { isComposing } from '@/lib/composing';
import { typesAhead } from './ahead';
import { beginsSequence, commandOf } from './registry';

const SEQUENCE = 1_200;
const OFF = 'svc.single-keys';

/** What fields do themselves with Ctrl or ⌘: undo, redo, select, cut, copy, paste, format, move and delete. */
const FIELD_KEYS = new Set(
  [
    ...['z', 'shift+z', 'y', 'a', 'x', 'c', 'v', 'shift+v', 'b', 'i', 'u'],
    ...['left', 'right', 'up', 'down', 'home', 'end'].flatMap((key) => [key, `shift+${key}`]),
    ...['backspace', 'shift+backspace', 'delete', 'shift+delete', 'enter', 'shift+enter'],
  ].map((key) => `mod+${key}`),
);

/** Whether single keys are commands. */
export function singleKeys(): boolean {
  try {
    return localStorage.getItem(OFF) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  localStorage.setItem(OFF, on ? 'on' : 'off');
}

/** Listens for keys until the answered function is called. */
export function startKeys(): () => void {
  let first: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forget = () => {
    clearTimeout(timer);
    first = undefined;
  };
  const press = (event: KeyboardEvent) => {
    const key = nameOf(event);
    if (!key || event.defaultPrevented || isComposing(event)) return;
    const withModifier = key.startsWith('mod+');
    if (isTyping(event.target) && (!withModifier || FIELD_KEYS.has(key))) return;
    if (typesAhead(event)) return event.preventDefault();
    if (!withModifier && (!singleKeys() || inPopup(event.target))) return;
    const command = (first && commandOf(`${first} ${key}`)) || commandOf(key);
    if (command) {
      forget();
      event.preventDefault();
      if (command.refusal === undefined) command.run();
    } else if (beginsSequence(key)) {
      forget();
      first = key;
      timer = setTimeout(forget, SEQUENCE);
    } else {
      forget();
    }
  };
  document.addEventListener('keydown', press);
  return () => {
    forget();
    document.removeEventListener('keydown', press);
  };
}

/** A press as commands write it; nothing for a modifier alone. */
export function nameOf(event: KeyboardEvent): string | undefined {
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph'].includes(event.key) || event.altKey) return undefined;
  const names: Record<string, string> = {
    ' ': 'space',
    ArrowUp: 'up',
    ArrowDown: 'down',
    ArrowLeft: 'left',
    ArrowRight: 'right',
  };
  const name = names[event.key] ?? latinOf(event).toLowerCase();
  const mod = event.ctrlKey || event.metaKey ? 'mod+' : '';
  // Shift is part of what `?` is, but not of what `J` is.
  const shift = event.shiftKey && (name.length > 1 || /[a-z]/.test(name)) ? 'shift+' : '';
  return mod + shift + name;
}

const NOT_LATIN = /^(?!\p{Script=Latin})\p{L}$/u;

const SIGNS: Record<string, string> = { BracketLeft: '[', Comma: ',', Period: '.' };

/** Signs of the help and the search that layouts without Latin letters have elsewhere: what they type at that place. */
const ON_SLASH: Record<string, string> = { '.': '/', ',': '?' };

/**
 * What a key types. Commands are written with Latin letters: where the layout has none, as Cyrillic and Greek ones, it is
 * what the key at this place types on a keyboard with them.
 */
function latinOf({ key, code, ctrlKey, metaKey }: KeyboardEvent): string {
  if (code === 'Slash' && !ctrlKey && !metaKey) return ON_SLASH[key] ?? key;
  if (!NOT_LATIN.test(key)) return key;
  return SIGNS[code] ?? /^Key([A-Z])$/.exec(code)?.[1] ?? key;
}

function isTyping(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? (target.shadowRoot?.activeElement ?? target) : undefined;
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      element.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  );
}

/** Menus, dialogs and lists answer their own keys. */
function inPopup(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role=menu], [role=dialog][aria-modal=true], [role=listbox], [role=alertdialog]') !== null
  );
}
