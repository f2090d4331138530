import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '@/api/schema';
import { workflowQuery } from '@/data/projects';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { SelectField, TextField } from '@/ui/Field';
import { t as glyphs } from '@/ui/glyph-strings';
import { Section } from '@/ui/Section';
import styles from './import.module.css';
import { t } from './strings';

export type Found = components['schemas']['ExportPreview'];
export type Mapping = components['schemas']['ImportMapping'];
type Word = components['schemas']['MappedWord'];

export const noMapping = (): Mapping => ({ states: {}, types: {}, priorities: {}, people: {} });

const KINDS = [
  'items',
  'comments',
  'people',
  'labels',
  'milestones',
  'sprints',
  'links',
  'attachments',
] as const;
const TYPES = ['story', 'bug', 'task', 'epic', 'subtask'] as const;
const PRIORITIES = ['lowest', 'low', 'medium', 'high', 'highest'] as const;

interface PreviewProps {
  slug: string;
  project: string;
  found: Found;
  mapping: Mapping;
  change: (mapping: Mapping) => void;
  /** What is done with it. */
  children: ReactNode;
}

/** What would come of an export, and what its words become here. */
export function Preview({ slug, project, found, mapping, change, children }: PreviewProps) {
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const states = workflow?.states.map(({ name }) => name) ?? [];
  const known = found.people.filter(({ agent }) => !agent);
  const unknown = known.filter(({ address }) => !address);
  const set = (kind: keyof Mapping) => (word: string, target: string) =>
    change({ ...mapping, [kind]: { ...mapping[kind], [word]: target } });
  const counts = KINDS.filter((kind) => found.found[kind]).map((kind) =>
    t(kind, { n: found.found[kind] ?? 0 }),
  );
  return (
    <Section title={t('would')} about={t('from', { source: plain(found.source) })}>
      <p>{counts.join(' · ')}</p>
      <Words
        title={t('states')}
        words={found.states}
        given={mapping.states ?? {}}
        options={states.map((name) => [name, plain(name)] as const)}
        set={set('states')}
      />
      <Words
        title={t('types')}
        words={found.types}
        given={mapping.types ?? {}}
        options={TYPES.map((name) => [name, glyphs(name)] as const)}
        set={set('types')}
      />
      <Words
        title={t('priorities')}
        words={found.priorities}
        given={mapping.priorities ?? {}}
        options={[['', t('none')] as const, ...PRIORITIES.map((name) => [name, glyphs(name)] as const)]}
        set={set('priorities')}
      />
      {unknown.length > 0 && (
        <details className={styles.more}>
          <summary>{t('whom', { n: unknown.length })}</summary>
          <p className="meta">{t('whomAbout')}</p>
          <div className={styles.words}>
            {unknown.map(({ id, name }) => (
              <TextField
                key={id}
                label={plain(name)}
                type="email"
                value={mapping.people?.[id] ?? ''}
                onChange={({ target }) => set('people')(id, target.value)}
              />
            ))}
          </div>
        </details>
      )}
      <Missing of={found.missing} />
      {found.sample.length > 0 && (
        <div className={styles.group}>
          <p className={styles.name}>{t('sample')}</p>
          <ul className={styles.list}>
            {found.sample.map((item) => (
              <li key={item.id}>
                {item.key && <span className="meta">{plain(item.key)} </span>}
                {plain(item.title)} <span className="meta">{plain(item.state)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {children}
    </Section>
  );
}

/** What does not come, by kind and reason. */
export function Missing({ of }: { of: readonly components['schemas']['MissingCount'][] }) {
  if (of.length === 0) return null;
  return (
    <div className={styles.group}>
      <p className={styles.name}>{t('missing')}</p>
      <ul className={cx(styles.list, of.length > 8 && styles.long)} {...(of.length > 8 && { tabIndex: 0 })}>
        {of.map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason}`}>{t('missed', { n: count, kind, reason: plain(reason) })}</li>
        ))}
      </ul>
    </div>
  );
}

interface WordsProps {
  title: string;
  words: readonly Word[];
  given: Record<string, string>;
  options: readonly (readonly [string, string])[];
  set: (word: string, target: string) => void;
}

function Words({ title, words, given, options, set }: WordsProps) {
  if (words.length === 0) return null;
  return (
    <fieldset className={styles.group}>
      <legend className={styles.name}>{title}</legend>
      <div className={styles.words}>
        {words.map(({ source, count, target }) => (
          <SelectField
            key={source}
            label={t('word', { word: plain(source), n: count })}
            value={given[source] ?? target}
            onChange={(event) => set(source, event.target.value)}
          >
            {options.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
    </fieldset>
  );
}
