/** Intakes of a project: addresses at which monitoring and forms make items. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type Intake = Schemas['Intake'];
export type IntakeWithAddress = Schemas['IntakeWithAddress'];
type IntakeFields = Omit<Schemas['UpdateIntake'], 'version'>;

export const intakesQuery = (slug: string, project: string) =>
  queryOptions({
    queryKey: ['intakes', slug, project],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/intakes', { params: { path: { slug, key: project } } }),
      ),
  });

export function createIntake(slug: string, project: string, body: Schemas['NewIntake']) {
  const params = { path: { slug, key: project } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/intakes', { params, body }));
}

export function changeIntake(slug: string, project: string, { id, version }: Intake, change: IntakeFields) {
  const params = { path: { slug, key: project, id } };
  const body = { ...change, version };
  return data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/intakes/{id}', { params, body }));
}

/** Answers the new address, which is shown once. */
export function rotateIntake(slug: string, project: string, id: string) {
  const params = { path: { slug, key: project, id } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/intakes/{id}/rotate', { params }));
}

export function deleteIntake(slug: string, project: string, id: string) {
  const params = { path: { slug, key: project, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/intakes/{id}', { params }));
}
