import {
  AtSign,
  Bold,
  Code,
  Hash,
  Heading2,
  Italic,
  Link2,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Paperclip,
  Quote,
  SquareCode,
  Table2,
} from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { IconButton } from '../Button';
import styles from '../MarkdownEditor.module.css';
import { BLOCKS, MARKS } from './actions';
import { t } from './editor-strings';
import type { Format } from './format';

const ICONS: Record<string, LucideIcon> = {
  bold: Bold,
  italic: Italic,
  code: Code,
  link: Link2,
  heading: Heading2,
  list: List,
  numbers: ListOrdered,
  tasks: ListChecks,
  quote: Quote,
  block: SquareCode,
  table: Table2,
};

interface ToolbarProps {
  onFormat: (format: Format) => void;
  /** Writes a sign that begins a completion. */
  onWrite: ((sign: '@' | '#') => void) | undefined;
  onFiles: ((files: readonly File[]) => void) | undefined;
}

interface Tool {
  id: string;
  label: string;
  icon: LucideIcon;
  keys?: string | undefined;
  press: () => void;
}

/** Formats by the mouse and the thumb. One tab stop, arrows between the buttons. */
export function Toolbar({ onFormat, onWrite, onFiles }: ToolbarProps) {
  const [at, setAt] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const tools: Tool[] = [
    ...[...MARKS, ...BLOCKS].flatMap(({ id, label, keys, format }) => {
      const icon = ICONS[id];
      return icon ? [{ id, label, icon, keys, press: () => onFormat(format) }] : [];
    }),
    ...(onWrite
      ? [
          { id: 'mention', label: t('mention'), icon: AtSign, press: () => onWrite('@') },
          { id: 'item', label: t('item'), icon: Hash, press: () => onWrite('#') },
        ]
      : []),
    ...(onFiles
      ? [{ id: 'attach', label: t('attach'), icon: Paperclip, press: () => input.current?.click() }]
      : []),
  ];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: tools.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (at + step + tools.length) % tools.length;
    setAt(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={bar} role="toolbar" aria-label={t('toolbar')} className={styles.toolbar} onKeyDown={move}>
      {tools.map(({ id, label, icon, keys, press }, place) => (
        <IconButton
          key={id}
          icon={icon}
          label={label}
          keys={keys}
          size="small"
          tabIndex={place === at ? 0 : -1}
          // The focus stays in the text.
          onPointerDown={(event) => event.preventDefault()}
          onFocus={() => setAt(place)}
          onClick={() => {
            setAt(place);
            press();
          }}
        />
      ))}
      {onFiles && (
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      )}
    </div>
  );
}
