/** What a text will look like: the service renders it, as it will when the text is saved. */
import { data, http } from '@/api/client';

export async function renderText(slug: string, body: string): Promise<string> {
  const params = { path: { slug } };
  return (await data(http.POST('/api/v1/orgs/{slug}/render', { params, body: { body } }))).html;
}
