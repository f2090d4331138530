import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useCommands } from '@/commands/registry';
import { labelsQuery, projectMembersQuery, sprintsQuery, workflowQuery } from '@/data/projects';
import type { WrongTerm } from '@/items/useMatcher';
import { cx } from '@/lib/class-names';
import { isComposing } from '@/lib/composing';
import { PRIORITY_ORDER, TYPE_ORDER } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import styles from './FilterBar.module.css';
import { FIELDS, type Field, quoted, split } from './language';
import { t } from './strings';

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
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const word = text.slice(text.lastIndexOf(' ') + 1);
  const choices = useCompletion(slug, project, word).slice(0, 12);
  useCommands([
    { id: 'view.filter', title: t('filter'), group: 'view', keys: '/', run: () => input.current?.focus() },
  ]);

  const commit = (nextTerms: string[], rest: string) => {
    setText(rest);
    setActive(-1);
    tell({ filter: nextTerms.join(' '), q: rest.trim() });
  };
  const write = (next: string) => {
    const words = split(next);
    // A term followed by a space is complete; what is being written stays in the field.
    const complete = next.endsWith(' ') ? words.filter(isTerm) : words.slice(0, -1).filter(isTerm);
    const rest = complete.length > 0 ? words.filter((w) => !complete.includes(w)).join(' ') : next;
    if (complete.length > 0) commit([...terms, ...complete], rest);
    else {
      setText(next);
      setActive(-1);
      if (!isTerm(words.at(-1) ?? '')) tell({ filter, q: next.trim() });
    }
    setOpen(true);
  };
  const complete = (choice: Choice) => {
    const kept = text.slice(0, text.length - word.length);
    if (choice.partial) {
      setText(kept + choice.text);
      setActive(-1);
    } else commit([...terms, choice.text], kept.trim());
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
          term={term}
          reason={wrong.find((one) => one.term === term)?.reason}
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
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={t('filter')}
          hidden={!expanded}
          className={styles.choices}
        >
          {choices.map((choice, at) => (
            <div
              key={choice.text}
              id={`${id}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              className={cx(styles.choice, at === active && styles.active)}
              onPointerDown={(event) => {
                event.preventDefault();
                complete(choice);
              }}
              onPointerMove={() => setActive(at)}
            >
              <code className={styles.code}>{choice.text}</code>
              <span className="meta truncate">{choice.about}</span>
            </div>
          ))}
        </div>
      </div>
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

function isTerm(word: string): boolean {
  return /^-?[a-z]+:./i.test(word) || /^-?\(.*\)$/s.test(word);
}

/** One term; one that is not understood is underlined. */
function TermChip({
  term,
  reason,
  onRemove,
}: {
  term: string;
  reason: string | undefined;
  onRemove: () => void;
}) {
  const [, name, value] = /^(-?[a-z]+:)(.*)$/is.exec(term) ?? ['', '', term];
  return (
    <span className={cx(styles.term, reason !== undefined && styles.wrong)} data-tip={reason}>
      <span className={styles.name}>{name}</span>
      <span className="truncate">{value}</span>
      <button type="button" className={styles.remove} aria-label={t('remove', { term })} onClick={onRemove}>
        <Icon of={X} size={12} />
      </button>
    </span>
  );
}

interface Choice {
  text: string;
  about: string;
  /** Goes on being written: a field without its value. */
  partial?: boolean;
}

/** What the word at the end of the field may become. */
function useCompletion(slug: string, project: string, word: string): Choice[] {
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const { data: labels } = useQuery(labelsQuery(slug, project));
  const { data: members } = useQuery(projectMembersQuery(slug, project));
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: word.includes('sprint:') });
  return useMemo(() => {
    const match = /^(-?)([a-z]*)(:?)(.*)$/is.exec(word);
    if (!match) return [];
    const [, minus = '', name = '', colon, value = ''] = match;
    if (!colon) {
      const fields = FIELDS.filter((field) => field.startsWith(name.toLowerCase()));
      return fields.map((field) => ({
        text: `${minus}${field}:`,
        about: t(`about.${field}`),
        partial: true,
      }));
    }
    const people = (members ?? []).map((member) => ({ value: member.userId, about: member.displayName }));
    const values: Record<Field, { value: string; about: string }[]> = {
      state: [
        ...(workflow?.states ?? []).map((state) => ({ value: state.name, about: state.group })),
        ...['backlog', 'active', 'resolved', 'closed'].map((group) => ({
          value: group,
          about: t('about.state'),
        })),
      ],
      type: TYPE_ORDER.map((type) => ({ value: type, about: '' })),
      priority: [
        ...PRIORITY_ORDER.map((priority) => ({ value: priority, about: '' })),
        { value: '>=high', about: '' },
      ],
      assignee: [
        { value: '@me', about: t('me') },
        { value: 'none', about: t('nobody') },
        { value: 'any', about: t('anybody') },
        ...people,
      ],
      label: (labels ?? []).map((label) => ({ value: label.name, about: label.description })),
      sprint: [
        { value: 'current', about: t('current') },
        { value: 'none', about: t('noSprint') },
        ...(sprints?.items ?? []).map((sprint) => ({ value: sprint.id, about: sprint.name })),
      ],
      blocked: [
        { value: 'true', about: '' },
        { value: 'false', about: '' },
      ],
      estimate: ['none', '>4', '<=2'].map((text) => ({ value: text, about: '' })),
      remaining: ['none', 'any', '>0'].map((text) => ({ value: text, about: '' })),
      claimed: [
        { value: '@me', about: t('me') },
        { value: '@agent', about: t('anAgent') },
        { value: 'any', about: t('anybody') },
        { value: 'none', about: t('nobody') },
      ],
      due: [
        { value: '<today', about: t('dayOver') },
        { value: 'today', about: '' },
        { value: '<=+7d', about: t('week') },
        { value: 'none', about: '' },
        { value: 'any', about: '' },
      ],
      parent: [{ value: 'none', about: '' }],
    };
    const typed = value.replaceAll('"', '').toLowerCase();
    const found = (values[name.toLowerCase() as Field] ?? []).filter(
      (choice) => choice.value.toLowerCase().includes(typed) || choice.about.toLowerCase().includes(typed),
    );
    return found.map((choice) => ({ text: `${minus}${name}:${quoted(choice.value)}`, about: choice.about }));
  }, [word, workflow, labels, members, sprints]);
}
