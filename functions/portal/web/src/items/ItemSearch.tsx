import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { ItemType } from '@/api/types';
import { useSettled } from '@/lib/settled';
import { plain } from '@/lib/text';
import { TypeGlyph } from '@/ui/glyphs';
import { Listbox, matching, type Option } from '@/ui/Listbox';
import type { Place } from './actions';
import { t } from './link-strings';

const REST = 150;
const MOST = 20;
const AGAIN = 2_000;

interface ItemSearchProps extends Place {
  label: string;
  /** Keys that are not offered. */
  except?: readonly string[];
  /** Types that are offered; without, all. */
  only?: (type: ItemType) => boolean;
  /** Offers to choose none, with these words. */
  none?: string | undefined;
  onChoose: (key: string | null, title: string) => void;
}

/** Whether other items may belong to one of this type. */
export function mayHold(type: ItemType): boolean {
  return type !== 'subtask';
}

/** Finds an item of the organization by its key or its words. */
export function ItemSearch({ slug, project, label, except = [], only, none, onChoose }: ItemSearchProps) {
  const [query, setQuery] = useState('');
  const q = useSettled(query.trim(), REST);
  const found = useQuery({
    queryKey: ['link-search', slug, project, q],
    queryFn: () => findItems({ slug, project }, q),
    placeholderData: keepPreviousData,
    // What was made just now is found a moment later.
    refetchInterval: ({ state }) => (state.data?.length === 0 ? AGAIN : false),
  });
  const offered = (found.data ?? []).filter(
    ({ key, type }) => !except.includes(key) && (only?.(type) ?? true),
  );
  const current = q === query.trim();
  const listed: Option[] = offered.map(({ key, title, type, state }) => ({
    id: key,
    label: `${key} ${plain(title)}`,
    glyph: <TypeGlyph type={type} />,
    detail: plain(state),
  }));
  const options = [...listed];
  if (none && !query) options.unshift({ id: '', label: none });
  return (
    <Listbox
      large
      label={label}
      placeholder={t('search')}
      options={options}
      query={query}
      onQuery={setQuery}
      onChoose={(option) => {
        // Until the answer for what is typed comes, Enter takes only what has those words.
        const having = option.id && !current ? matching(listed, query) : [option];
        const chosen = having.find(({ id }) => id === option.id) ?? having[0];
        if (!chosen) return;
        onChoose(chosen.id || null, offered.find(({ key }) => key === chosen.id)?.title ?? '');
      }}
      empty={found.isPending || !current ? t('searching') : t('none')}
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
