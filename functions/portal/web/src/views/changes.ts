/** Writes of saved views. */
import { data, http } from '@/api/client';
import type { SavedView } from '@/api/types';
import { kept, type Listed } from '@/filter/listed';

export interface Named {
  name: string;
  shared: boolean;
}

/** Saves what is shown as a view. */
export function makeView(slug: string, project: string, { name, shared }: Named, listed: Listed) {
  const params = { path: { slug, key: project } };
  const body = { name: name.trim(), shared, ...kept(listed) };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/views', { params, body }));
}

/** Changes a view: what it is called and who sees it, what it shows, or both. Who sees it is sent only if it changes. */
export function changeView(
  slug: string,
  project: string,
  view: SavedView,
  { named, listed }: { named?: Named; listed?: Listed },
) {
  const params = { path: { slug, key: project, id: view.id } };
  const body = {
    version: view.version,
    ...(named && { name: named.name.trim() }),
    ...(named && named.shared !== view.shared && { shared: named.shared }),
    ...(listed && kept(listed)),
  };
  return data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/views/{id}', { params, body }));
}

export function deleteView(slug: string, project: string, { id }: SavedView) {
  const params = { path: { slug, key: project, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/views/{id}', { params }));
}
