import { Check } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { takeTyped } from '@/commands/ahead';
import { cx } from '@/lib/class-names';
import { isComposing } from '@/lib/composing';
import { Keys } from './Chip';
import { Icon } from './Icon';
import styles from './Listbox.module.css';
import { t } from './strings';

/** One choice of a listbox. */
export interface Option {
  id: string;
  label: string;
  /** Words beside the label that a query finds too. */
  words?: string | undefined;
  glyph?: ReactNode;
  detail?: ReactNode;
  keys?: string | undefined;
  checked?: boolean | undefined;
  refusal?: string | undefined;
  group?: string | undefined;
}

interface ListboxProps {
  label: string;
  options: readonly Option[];
  onChoose: (option: Option) => void;
  placeholder?: string;
  /** Keeps filtering to the caller, who changes the options with the query. */
  onQuery?: ((query: string) => void) | undefined;
  query?: string;
  /** Offers, in these words, to make what was typed, where nothing has exactly that name. It is chosen as `CREATE`. */
  createLabel?: ((name: string) => string) | undefined;
  multiple?: boolean;
  empty?: ReactNode;
  large?: boolean;
}

/** A field over a list: typing narrows it, arrows and Enter choose. Focus stays in the field. */
export function Listbox(props: ListboxProps) {
  const { label, onChoose, placeholder, onQuery, multiple, empty, large } = props;
  const id = useId();
  const [own, setOwn] = useState('');
  const query = props.query ?? own;
  const options = useOptions(props, query);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(active, Math.max(0, options.length - 1));

  const write = (text: string) => {
    setOwn(text);
    setActive(0);
    onQuery?.(text);
  };
  const takeAhead = () => {
    const text = takeTyped();
    if (text) write(query + text);
  };
  const choose = (option: Option | undefined) => {
    if (option && option.refusal === undefined) onChoose(option);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -options.length, End: options.length }[event.key];
    if (isComposing(event.nativeEvent)) return;
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      const next = Math.abs(step) === 1 ? (at + step + options.length) % options.length : at + step;
      setActive(Math.max(0, Math.min(options.length - 1, next)));
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(options[at]);
    }
  };
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  return (
    <div className={cx(styles.listbox, large && styles.large)}>
      <input
        autoFocus
        className={styles.field}
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        aria-label={label}
        placeholder={placeholder ?? t('filter')}
        value={query}
        spellCheck={false}
        autoComplete="off"
        onFocus={takeAhead}
        onChange={(event) => write(event.target.value)}
        onKeyDown={press}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple}
        className={styles.list}
      >
        {options.map((option, row) => (
          <Row
            key={option.id}
            id={`${id}-${row}`}
            row={row}
            option={option}
            active={row === at}
            heading={option.group !== options[row - 1]?.group ? option.group : undefined}
            onPoint={() => setActive(row)}
            onChoose={() => choose(option)}
          />
        ))}
        {options.length === 0 && <p className={styles.empty}>{empty ?? t('noMatch', { query })}</p>}
      </div>
    </div>
  );
}

/** The id of what is not there yet. */
export const CREATE = '\0create';

function useOptions({ options, onQuery, createLabel }: ListboxProps, query: string): readonly Option[] {
  return useMemo(() => {
    const found = onQuery ? options : matching(options, query);
    const name = query.trim();
    const exists = options.some((option) => option.label.toLowerCase() === name.toLowerCase());
    return createLabel && name && !exists ? [...found, { id: CREATE, label: createLabel(name) }] : found;
  }, [options, onQuery, createLabel, query]);
}

/** Options whose label or words hold every word of the query; those that begin with it first. */
export function matching(options: readonly Option[], query: string): readonly Option[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  const rank = (option: Option) => {
    const label = option.label.toLowerCase();
    const text = `${label} ${option.words?.toLowerCase() ?? ''}`;
    if (!words.every((word) => text.includes(word))) return -1;
    return label.startsWith(words[0] ?? '') ? 0 : label.includes(` ${words[0]}`) ? 1 : 2;
  };
  return options
    .map((option, at) => ({ option, at, rank: rank(option) }))
    .filter((entry) => entry.rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map((entry) => entry.option);
}

interface RowProps {
  id: string;
  row: number;
  option: Option;
  active: boolean;
  heading: string | undefined;
  onPoint: () => void;
  onChoose: () => void;
}

function Row({ id, row, option, active, heading, onPoint, onChoose }: RowProps) {
  return (
    <>
      {heading && (
        <div className={styles.heading} role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys. */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        data-at={row}
        aria-selected={option.checked ?? active}
        aria-disabled={option.refusal !== undefined || undefined}
        className={cx(styles.option, active && styles.active)}
        onPointerMove={onPoint}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onChoose}
      >
        {option.glyph}
        <span className={styles.label}>
          <span className="truncate">{option.label}</span>
          {option.refusal && <span className={styles.detail}>{option.refusal}</span>}
        </span>
        {option.detail && <span className={styles.detail}>{option.detail}</span>}
        {option.checked && <Icon of={Check} size={14} />}
        {option.keys && (
          <span className={styles.keys}>
            <Keys keys={option.keys} />
          </span>
        )}
      </div>
    </>
  );
}
