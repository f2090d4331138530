/** Writes of saved views: those of a project, and without one those of the organization. */
import { data, http } from '@/api/client';
import type { SavedView } from '@/api/types';
import { kept, type Listed } from '@/filter/listed';

export interface ViewPlace {
  slug: string;
  project: string | undefined;
}

export interface Named {
  name: string;
  shared: boolean;
}

/** Saves what is shown as a view. */
export function makeView({ slug, project }: ViewPlace, { name, shared }: Named, listed: Listed) {
  const body = { name: name.trim(), shared, ...kept(listed) };
  if (project === undefined)
    return data(http.POST('/api/v1/orgs/{slug}/views', { params: { path: { slug } }, body }));
  const params = { path: { slug, key: project } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/views', { params, body }));
}

/** Changes a view: what it is called and who sees it, what it shows, or both. Who sees it is sent only if it changes. */
export function changeView(
  { slug, project }: ViewPlace,
  view: SavedView,
  { named, listed }: { named?: Named; listed?: Listed },
) {
  const body = {
    version: view.version,
    ...(named && { name: named.name.trim() }),
    ...(named && named.shared !== view.shared && { shared: named.shared }),
    ...(listed && kept(listed)),
  };
  if (project === undefined) {
    const params = { path: { slug, viewId: view.id } };
    return data(http.PATCH('/api/v1/orgs/{slug}/views/{viewId}', { params, body }));
  }
  const params = { path: { slug, key: project, id: view.id } };
  return data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/views/{id}', { params, body }));
}

export function deleteView({ slug, project }: ViewPlace, { id }: SavedView) {
  if (project === undefined)
    return data(
      http.DELETE('/api/v1/orgs/{slug}/views/{viewId}', { params: { path: { slug, viewId: id } } }),
    );
  const params = { path: { slug, key: project, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/views/{id}', { params }));
}
