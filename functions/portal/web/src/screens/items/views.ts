/** Views of an organization's items, kept in this browser; those of a project are kept by the service. */
import { useLocal } from '@/lib/local';

export interface OrgView {
  id: string;
  slug: string;
  name: string;
  /** What of the address it keeps. */
  search: Partial<Record<ViewParameter, string>>;
}

const KEPT = ['filter', 'q', 'sort', 'group', 'as'] as const;
type ViewParameter = (typeof KEPT)[number];

/** What a view keeps of an address. */
export function keptOf(search: Partial<Record<string, string>>): OrgView['search'] {
  return Object.fromEntries(KEPT.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
}

/** Whether an address shows what a view keeps. */
export function shows(view: OrgView, search: Partial<Record<string, string>>): boolean {
  const shown = keptOf(search);
  return KEPT.every((name) => shown[name] === view.search[name]);
}

/** All that an address must be told so that it shows a view: what the view has not is taken out. */
export function addressOf(view: OrgView): Record<string, string | undefined> {
  return { ...Object.fromEntries(KEPT.map((name) => [name, view.search[name]])), view: view.id };
}

/** The views of an organization, and a function that puts others in their place. */
export function useOrgViews(slug: string): [readonly OrgView[], (views: readonly OrgView[]) => void] {
  const [all, setAll] = useLocal<readonly OrgView[]>('org-views', []);
  const others = all.filter((view) => view.slug !== slug);
  return [all.filter((view) => view.slug === slug), (views) => setAll([...others, ...views])];
}
