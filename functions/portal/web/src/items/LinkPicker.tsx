import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { ItemType, LinkKind } from '@/api/types';
import { useSettled } from '@/lib/settled';
import { plain } from '@/lib/text';
import { TypeGlyph } from '@/ui/glyphs';
import { Listbox, type Option } from '@/ui/Listbox';
import type { Place } from './actions';
import { t } from './link-strings';
import { LINK_KINDS, linkItems, linkName } from './links';

const REST = 150;
const MOST = 20;

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
  const [query, setQuery] = useState('');
  const q = useSettled(query.trim(), REST);
  const found = useQuery({
    queryKey: ['link-search', slug, project, q],
    queryFn: () => findItems({ slug, project }, q),
    placeholderData: keepPreviousData,
  });
  const options: Option[] = (found.data ?? [])
    .filter(({ key }) => !keys.includes(key))
    .map(({ key, title, type, state }) => ({
      id: key,
      label: `${key} ${plain(title)}`,
      glyph: <TypeGlyph type={type} />,
      detail: plain(state),
    }));
  const choose = ({ id }: Option) => {
    onDone();
    void linkItems(slug, keys, kind, id);
  };
  return (
    <Listbox
      large
      label={t('which', { kind: linkName(kind) })}
      placeholder={t('search')}
      options={options}
      query={query}
      onQuery={setQuery}
      onChoose={choose}
      empty={found.isPending || q !== query.trim() ? t('searching') : t('none')}
    />
  );
}

interface Found {
  key: string;
  title: string;
  type: ItemType;
  state: string;
}

/** Items of the organization that match; for no words, those of the project that changed last. */
async function findItems({ slug, project }: Place, q: string): Promise<Found[]> {
  const query = { q, types: 'items', limit: MOST };
  const { results } =
    q === ''
      ? await data(
          http.GET('/api/v1/orgs/{slug}/projects/{key}/search', {
            params: { path: { slug, key: project }, query },
          }),
        )
      : await data(http.GET('/api/v1/orgs/{slug}/search', { params: { path: { slug }, query } }));
  return results.flatMap(({ key, title, itemType, state }) =>
    key ? [{ key, title: title ?? '', type: (itemType ?? 'task') as ItemType, state: state ?? '' }] : [],
  );
}
