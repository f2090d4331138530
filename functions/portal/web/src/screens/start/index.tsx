import { Navigate } from '@tanstack/react-router';
import { useMe } from '@/data/me';
import { readLocal } from '@/lib/local';

/** `/`: the last organization, or the first; without any, the page that makes one. */
export default function Start() {
  const { organizations } = useMe();
  const last = readLocal<string | null>('organization', null);
  const chosen = organizations.find(({ slug }) => slug === last) ?? organizations[0];
  if (!chosen) return <Navigate to="/new-organization" replace />;
  return <Navigate to="/o/$slug" params={{ slug: chosen.slug }} replace />;
}
