/** Pages that somebody keeps at hand, in this browser. */
import { useLocal } from '@/lib/local';

export interface Favourite {
  slug: string;
  /** Its address, without the origin. */
  href: string;
  label: string;
}

/** Most that are kept of an organization. */
export const MOST = 20;

/** With a page taken in, or taken out where it is there. */
export function toggled(all: readonly Favourite[], page: Favourite): readonly Favourite[] {
  const others = all.filter(({ slug, href }) => slug !== page.slug || href !== page.href);
  if (others.length < all.length) return others;
  const here = others.filter(({ slug }) => slug === page.slug);
  return here.length < MOST ? [...others, page] : others;
}

/** What of an address a favourite leads back to: not what lies open beside the page. */
export function lasting(href: string): string {
  const [path = '', query = ''] = (href.split('#')[0] ?? '').split('?');
  const search = new URLSearchParams(query);
  search.delete('peek');
  search.delete('changes');
  return search.size > 0 ? `${path}?${search}` : path;
}

export function useFavourites(slug: string): [readonly Favourite[], (page: Favourite) => void] {
  const [all, setAll] = useLocal<readonly Favourite[]>('favourites', []);
  return [all.filter((page) => page.slug === slug), (page) => setAll(toggled(all, page))];
}
