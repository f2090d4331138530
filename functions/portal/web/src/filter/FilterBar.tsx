import { ListFilter, Plus, X } from 'lucide-react';
import { type KeyboardEvent, memo, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useCommands } from '@/commands/registry';
import type { WrongTerm } from '@/items/useMatcher';
import { cx } from '@/lib/class-names';
import { isComposing } from '@/lib/composing';
import { lazyPart } from '@/lib/parts';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Popover } from '@/ui/Popover';
import styles from './FilterBar.module.css';
import { split } from './language';
import type { Suggestion } from './Suggestions';
import { t } from './strings';

// Loaded when somebody begins to filter: no board waits for it.
const Suggestions = lazyPart(() => import('./Suggestions'));
const FilterMenu = lazyPart(() => import('./FilterMenu'));
const TermFace = lazyPart(() => import('./TermFace'));

interface FilterBarProps {
  slug: string;
  project: string;
  filter: string;
  q: string;
  /** Terms of the filter that the service does not understand. */
  wrong: readonly WrongTerm[];
  onChange: (next: { filter: string; q: string }) => void;
}

/** The filter language itself: terms are chips that can be typed, with completion; words without a colon are searched. */
export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  const { slug, project, filter, q, wrong, onChange } = props;
  const terms = split(filter);
  const [text, setText] = useState(q);
  const tell = useTold(q, onChange, setText);
  const [open, setOpen] = useState(false);
  const [pointed, setActive] = useState(-1);
  const [met, setMet] = useState(false);
  const [choices, offer] = useState<readonly Suggestion[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const word = lastWord(text);
  // The only one there is needs no choosing.
  const active =
    pointed < 0 && choices.length === 1 && word !== '' && choices[0]?.text !== word ? 0 : pointed;
  const begin = { title: t('filter'), group: 'view', run: () => input.current?.focus() } as const;
  useCommands([
    { ...begin, id: 'view.filter', keys: '/' },
    { ...begin, id: 'view.filter-too', keys: 'f', hidden: true },
  ]);

  const commit = (nextTerms: string[], rest: string) => {
    setText(rest);
    setActive(-1);
    tell({ filter: nextTerms.join(' '), q: rest.trim() });
  };
  const write = (next: string) => {
    const words = split(next);
    // A term followed by a space is complete; what is being written stays in the field.
    const ended = next.endsWith(' ') && lastWord(next) === '';
    const complete = ended ? words.filter(isTerm) : words.slice(0, -1).filter(isTerm);
    const rest = complete.length > 0 ? words.filter((w) => !complete.includes(w)).join(' ') : next;
    if (complete.length > 0) commit([...terms, ...complete], rest);
    else {
      setText(next);
      setActive(-1);
      tell({ filter, q: words.filter((one) => !BEGUN.test(one)).join(' ') });
    }
    setOpen(true);
  };
  const complete = (choice: Suggestion) => {
    const kept = text.slice(0, text.length - word.length);
    if (choice.partial) {
      setText(kept + choice.text);
      setActive(-1);
    } else {
      commit([...terms, choice.text], kept.trim());
      // What was asked for is seen; typing opens it again.
      setOpen(false);
    }
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const chosen = choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(
        (at) =>
          (at + step + choices.length + 1) % (choices.length + 1) || (step > 0 ? 0 : choices.length - 1),
      );
    } else if ((event.key === 'Enter' || event.key === 'Tab') && open && chosen) {
      event.preventDefault();
      complete(chosen);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const words = split(text);
      commit([...terms, ...words.filter(isTerm)], words.filter((w) => !isTerm(w)).join(' '));
      setOpen(false);
    } else if (event.key === 'Escape') {
      if (open) setOpen(false);
      else input.current?.blur();
    } else if (event.key === 'Backspace' && text === '' && terms.length > 0) {
      event.preventDefault();
      tell({ filter: terms.slice(0, -1).join(' '), q: '' });
      setText(terms.at(-1) ?? '');
    }
  };

  // What is wrong is not covered by what else there is to write.
  const explains = wrong.length > 0 && text === '';
  const expanded = open && choices.length > 0 && !explains;
  return (
    <search className={styles.bar}>
      <Icon of={ListFilter} className={styles.icon} />
      {terms.map((term, at) => (
        <TermChip
          key={term}
          slug={slug}
          project={project}
          term={term}
          reason={wrong.find((one) => one.term === term)?.reason}
          onEdit={() => {
            tell({ filter: terms.filter((_, other) => other !== at).join(' '), q });
            setText(text.trim() ? `${text.trim()} ${term}` : term);
            setOpen(true);
            input.current?.focus();
          }}
          onRemove={() => tell({ filter: terms.filter((_, other) => other !== at).join(' '), q })}
        />
      ))}
      <div className={styles.field}>
        <input
          ref={input}
          role="combobox"
          aria-label={t('filter')}
          aria-expanded={expanded}
          aria-controls={`${id}-list`}
          aria-activedescendant={expanded && active >= 0 ? `${id}-${active}` : undefined}
          aria-autocomplete="list"
          aria-invalid={wrong.length > 0 || undefined}
          aria-describedby={wrong.length > 0 ? `${id}-wrong` : undefined}
          autoComplete="off"
          spellCheck={false}
          className={styles.input}
          placeholder={terms.length > 0 ? '' : t('placeholder')}
          value={text}
          onChange={(event) => write(event.target.value)}
          onKeyDown={press}
          onFocus={() => {
            setMet(true);
            setOpen(true);
          }}
          onBlur={() => setOpen(false)}
        />
        {met && (
          <Suspense>
            <Suggestions
              id={id}
              slug={slug}
              project={project}
              word={word}
              active={active}
              hidden={!expanded}
              onOffer={offer}
              onPoint={setActive}
              onTake={complete}
            />
          </Suspense>
        )}
      </div>
      <Popover
        label={t('addTip')}
        trigger={({ ref, ...opens }) => (
          <Button
            {...opens}
            ref={ref}
            size="small"
            kind="ghost"
            icon={Plus}
            data-tip={t('addTip')}
            className={styles.add ?? ''}
          >
            {t('add')}
          </Button>
        )}
      >
        {() => (
          <Suspense>
            <FilterMenu
              slug={slug}
              project={project}
              filter={filter}
              onChange={(next) => tell({ filter: next, q })}
            />
          </Suspense>
        )}
      </Popover>
      {(terms.length > 0 || text !== '') && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('clear')}
          data-tip={t('clear')}
          onClick={() => commit([], '')}
        >
          <Icon of={X} size={14} />
        </button>
      )}
      {wrong.length > 0 && (
        <div id={`${id}-wrong`} role="alert" className={styles.reasons}>
          {wrong.map(({ term, reason }) => (
            <p key={term}>{reason}</p>
          ))}
        </div>
      )}
    </search>
  );
});

/**
 * Tells of changes, and takes over words that come from elsewhere, such as a view that is opened. What the field told
 * itself comes back late, and must not undo what is typed meanwhile.
 */
function useTold(q: string, onChange: FilterBarProps['onChange'], take: (text: string) => void) {
  const told = useRef([q]);
  useEffect(() => {
    const at = told.current.at(-1) === q ? told.current.length - 1 : told.current.indexOf(q);
    if (at < 0) take(q);
    told.current = at < 0 ? [q] : told.current.slice(at);
  }, [q, take]);
  return (next: { filter: string; q: string }) => {
    told.current.push(next.q);
    onChange(next);
  };
}

/** A term that is being written: nothing to search for. */
const BEGUN = /^-?[a-z]+:|^-?\(/i;

function isTerm(word: string): boolean {
  return /^-?[a-z]+:./i.test(word) || /^-?\(.*\)$/s.test(word);
}

/** What is being written: the last word, or the last term with what stands in its quotes. */
function lastWord(text: string): string {
  const last = split(text).at(-1) ?? '';
  return text.endsWith(last) ? last : '';
}

interface TermChipProps {
  slug: string;
  project: string;
  term: string;
  reason: string | undefined;
  onEdit: () => void;
  onRemove: () => void;
}

/** One term, which a press gives back to the field; one that is not understood is underlined. */
function TermChip({ slug, project, term, reason, onEdit, onRemove }: TermChipProps) {
  return (
    <span className={cx(styles.term, reason !== undefined && styles.wrong)} data-tip={reason ?? term}>
      <button type="button" className={styles.face} onClick={onEdit}>
        <span className="visually-hidden">{t('edit')} </span>
        <Suspense fallback={<span className="truncate">{term}</span>}>
          <TermFace slug={slug} project={project} term={term} />
        </Suspense>
      </button>
      <button type="button" className={styles.remove} aria-label={t('remove', { term })} onClick={onRemove}>
        <Icon of={X} size={12} />
      </button>
    </span>
  );
}
