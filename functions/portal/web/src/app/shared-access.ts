/** What the viewer may do with items of several projects: what they may do in every one of them. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useOrganization } from '@/data/me';
import { canQuery, projectsQuery } from '@/data/projects';
import { type Access, accessOf, NONE, withCan } from './access';

export function useSharedAccess(slug: string, keys: readonly string[]): Access {
  const organization = useOrganization(slug);
  const { data: projects } = useQuery(projectsQuery(slug));
  const cans = useQueries({ queries: keys.map((key) => canQuery(slug, key)) });
  if (!organization) return NONE;
  const each = keys.map((key, at) =>
    withCan(
      accessOf(
        organization,
        projects?.find((project) => project.key === key),
      ),
      cans[at]?.data,
    ),
  );
  return each.reduce(both, accessOf(organization));
}

function both(a: Access, b: Access): Access {
  return {
    administer: a.administer && b.administer,
    configure: a.configure && b.configure,
    write: a.write && b.write,
    move: a.move && b.move,
    comment: a.comment && b.comment,
    remove: a.remove && b.remove,
    operate: a.operate && b.operate,
    start: a.start && b.start,
    frozen: a.frozen ?? b.frozen,
  };
}
