import { useState } from 'react';
import { CREATE, Listbox, matching, type Option } from '@/ui/Listbox';
import { t as p } from './picker-strings';
import { t } from './strings';

interface LabelListProps {
  options: readonly Option[];
  /** Gives a label, an existing or a new one, or takes it away. */
  onToggle: (name: string) => void;
}

/** Stays open: an item has several labels. What was typed goes once it is chosen. */
export function LabelList({ options, onToggle }: LabelListProps) {
  const [query, setQuery] = useState('');
  const name = query.replace(/[\s,"]+/g, ' ').trim();
  return (
    <Listbox
      multiple
      label={t('labels')}
      options={matching(options, query)}
      query={query}
      onQuery={setQuery}
      onChoose={({ id }) => {
        onToggle(id === CREATE ? name : id);
        setQuery('');
      }}
      createLabel={() => p('createLabel', { name })}
    />
  );
}
