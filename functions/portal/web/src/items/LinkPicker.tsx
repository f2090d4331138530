import { useState } from 'react';
import type { LinkKind } from '@/api/types';
import { Listbox } from '@/ui/Listbox';
import type { Place } from './actions';
import { ItemSearch } from './ItemSearch';
import { t } from './link-strings';
import { LINK_KINDS, linkItems, linkName } from './links';

interface LinkPickerProps extends Place {
  keys: string[];
  onDone: () => void;
}

/** Links items with another one of the organization: first how, then with which. */
export function LinkPicker(props: LinkPickerProps) {
  const [kind, setKind] = useState<LinkKind>();
  if (kind) return <OtherItem key={kind} {...props} kind={kind} />;
  const options = LINK_KINDS.map((id) => ({ id, label: linkName(id) }));
  return <Listbox label={t('how')} options={options} onChoose={({ id }) => setKind(id as LinkKind)} />;
}

function OtherItem({ slug, project, keys, kind, onDone }: LinkPickerProps & { kind: LinkKind }) {
  const choose = (key: string | null) => {
    onDone();
    if (key) void linkItems(slug, keys, kind, key);
  };
  return (
    <ItemSearch
      slug={slug}
      project={project}
      label={t('which', { kind: linkName(kind) })}
      except={keys}
      onChoose={choose}
    />
  );
}
