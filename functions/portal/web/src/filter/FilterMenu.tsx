import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Icon } from '@/ui/Icon';
import { Listbox, type Option } from '@/ui/Listbox';
import { chosen, toggled } from './edit';
import { t } from './field-strings';
import { ALL_FIELDS, type AnyField, FieldIcon, useFieldValues } from './fields';
import { t as common } from './strings';

/** Fields that are written, because what they can be is not a list. */
const WRITTEN: readonly AnyField[] = ['text'];

interface FilterMenuProps {
  slug: string;
  project: string;
  filter: string;
  onChange: (filter: string) => void;
}

/** A filter by the mouse: a field, then what it is to be; several are any of them. */
export default function FilterMenu({ slug, project, filter, onChange }: FilterMenuProps) {
  const [field, open] = useState<AnyField>();
  if (field)
    return (
      <Values
        key={field}
        slug={slug}
        project={project}
        field={field}
        filter={filter}
        onChange={onChange}
        onBack={() => open(undefined)}
      />
    );
  return (
    <Listbox
      label={common('addTip')}
      options={ALL_FIELDS.filter((one) => !WRITTEN.includes(one)).map((one) => ({
        id: one,
        label: t(`name.${one}`),
        words: t(`about.${one}`),
        glyph: <FieldIcon field={one} />,
        detail: chosen(filter, one).length || undefined,
      }))}
      onChoose={({ id }) => open(id as AnyField)}
    />
  );
}

interface ValuesProps extends FilterMenuProps {
  field: AnyField;
  onBack: () => void;
}

const BACK = '\0back';

function Values({ slug, project, field, filter, onChange, onBack }: ValuesProps) {
  const values = useFieldValues(slug, project, field);
  const held = chosen(filter, field).map((choice) => choice.toLowerCase());
  const holds = ({ value, id }: { value: string; id?: string | undefined }) =>
    held.includes(value.toLowerCase()) || (id !== undefined && held.includes(id));
  const options: Option[] = [
    ...values.map((one) => ({
      id: one.value,
      label: one.label,
      detail: one.about,
      glyph: one.glyph ?? <FieldIcon field={field} />,
      checked: holds(one),
    })),
    { id: BACK, label: common('back'), glyph: <Icon of={ArrowLeft} size={14} /> },
  ];
  return (
    <Listbox
      label={t(`name.${field}`)}
      multiple
      options={options}
      onChoose={({ id }) => {
        if (id === BACK) return onBack();
        const one = values.find(({ value }) => value === id);
        // One that was written by its id is taken away as it was written.
        const written = one?.id !== undefined && held.includes(one.id) ? one.id : id;
        onChange(toggled(filter, field, written));
      }}
    />
  );
}
