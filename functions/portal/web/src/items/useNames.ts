import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAccess } from '@/app/access';
import { agentsQuery } from '@/data/factory';
import { useMe } from '@/data/me';
import { projectMembersQuery } from '@/data/projects';

/** Whom a text of a project can mention, as far as the viewer may know; nothing until that is known. */
export function useNames(slug: string, project: string, asked = true): readonly string[] | undefined {
  const { displayName } = useMe();
  const { operate } = useAccess(slug, project);
  const { data: members } = useQuery({ ...projectMembersQuery(slug, project), enabled: asked });
  const { data: agents } = useQuery({ ...agentsQuery(slug), enabled: asked && operate });
  return useMemo(() => {
    if (!members || (operate && !agents)) return undefined;
    return [
      displayName,
      ...members.map((member) => member.displayName),
      ...(agents ?? []).map(({ name }) => name),
    ];
  }, [displayName, members, agents, operate]);
}

/** Whether a rendered text has marks, so that it matters whom it can mention. */
export function hasMarks(html: string | null | undefined): boolean {
  return html?.includes('class="mention"') ?? false;
}
