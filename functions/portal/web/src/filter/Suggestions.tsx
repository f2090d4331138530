import { type ReactNode, useEffect } from 'react';
import { cx } from '@/lib/class-names';
import styles from './FilterBar.module.css';
import { t } from './field-strings';
import { ALL_FIELDS, FieldIcon, isField, useFieldValues } from './fields';
import { t as common } from './strings';

/** What the word that is being written may become. */
export interface Suggestion {
  text: string;
  /** Goes on being written: a field without its value. */
  partial?: boolean;
}

interface Shown extends Suggestion {
  label: string;
  about: string;
  glyph?: ReactNode;
}

const MOST = 12;

interface SuggestionsProps {
  id: string;
  slug: string;
  project: string;
  word: string;
  active: number;
  hidden: boolean;
  /** Tells the field, which has the focus and takes the keys, what there is to choose. */
  onOffer: (offered: readonly Suggestion[]) => void;
  onPoint: (at: number) => void;
  onTake: (suggestion: Suggestion) => void;
}

/** The list under the filter's field: fields first, then what a field can be. */
export default function Suggestions(props: SuggestionsProps) {
  const { id, slug, project, word, active, hidden, onOffer, onPoint, onTake } = props;
  const suggestions = useSuggestions(slug, project, word);
  const texts = suggestions.map(({ text }) => text).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other texts are another offer.
  useEffect(() => onOffer(suggestions), [texts]);
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={common('filter')}
      hidden={hidden || suggestions.length === 0}
      className={styles.choices}
    >
      {suggestions.map((suggestion, at) => (
        <div
          key={suggestion.text}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={cx(styles.choice, at === active && styles.active)}
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(suggestion);
          }}
          onPointerMove={() => onPoint(at)}
        >
          <span className={styles.glyph}>{suggestion.glyph}</span>
          <span className={styles.label}>{suggestion.label}</span>
          {suggestion.about && <span className="meta truncate">{suggestion.about}</span>}
          <code className={styles.code}>{suggestion.text}</code>
        </div>
      ))}
    </div>
  );
}

function useSuggestions(slug: string, project: string, word: string): Shown[] {
  const [, minus = '', name = '', colon, typed = ''] = /^(-?)([a-z]*)(:?)(.*)$/is.exec(word) ?? [];
  const lower = name.toLowerCase();
  const field = colon && isField(lower) ? lower : undefined;
  const values = useFieldValues(slug, project, field);
  if (!colon) {
    const fields = ALL_FIELDS.filter((one) => one.startsWith(lower));
    return fields.slice(0, word === '' ? ALL_FIELDS.length : MOST).map((one) => ({
      text: `${minus}${one}:`,
      label: t(`name.${one}`),
      about: t(`about.${one}`),
      glyph: <FieldIcon field={one} />,
      partial: true,
    }));
  }
  if (!field) return [];
  // Choices before the last one stand already.
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const wanted = typed.slice(before.length).replaceAll('"', '').toLowerCase();
  return values
    .filter(({ value, label, about }) =>
      [value.replaceAll('"', ''), label, about ?? ''].some((text) => text.toLowerCase().includes(wanted)),
    )
    .slice(0, MOST)
    .map(({ value, label, about, glyph }) => ({
      text: `${minus}${field}:${before}${value}`,
      label,
      about: about ?? '',
      glyph: glyph ?? <FieldIcon field={field} />,
    }));
}
