import styles from './FilterBar.module.css';
import { t } from './field-strings';
import { FieldIcon, isField, useFieldValues } from './fields';
import { choicesOf } from './language';
import { t as common } from './strings';

interface TermFaceProps {
  slug: string;
  project: string;
  term: string;
}

/** A term as people read it: the field's icon and name, and names in place of ids and signs. */
export default function TermFace({ slug, project, term }: TermFaceProps) {
  const [, minus, name = '', value = ''] = /^(-?)([a-z]+):(.*)$/is.exec(term) ?? [];
  const field = isField(name.toLowerCase())
    ? (name.toLowerCase() as Parameters<typeof FieldIcon>[0]['field'])
    : undefined;
  const known = useFieldValues(slug, project, field);
  if (!field) return <span className="truncate">{term}</span>;
  const found = choicesOf(value).map((choice) => {
    const bare = choice.toLowerCase();
    return (
      known.find((one) => one.value.replaceAll('"', '').toLowerCase() === bare || one.id === choice) ?? {
        value: choice,
        label: choice,
      }
    );
  });
  const labels = found.map(({ label }) => label);
  const last = labels.pop() ?? '';
  const glyph = found.length === 1 ? found[0]?.glyph : undefined;
  return (
    <>
      <FieldIcon field={field} />
      <span className={styles.name}>
        {minus ? common('not', { name: t(`name.${field}`) }) : t(`name.${field}`)}
      </span>
      {glyph}
      <span className="truncate">
        {labels.length > 0 ? common('or', { some: labels.join(', '), last }) : last}
      </span>
    </>
  );
}
