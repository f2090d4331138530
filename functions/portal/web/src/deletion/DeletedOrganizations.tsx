import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { deletedOrganizationsQuery } from '@/data/organizations';
import { Deleted } from './Deleted';
import { restoreOrganization } from './organizations';
import { t } from './strings';

/** The person's organizations that were deleted. Their Owners restore them; others see until when that is possible. */
export function DeletedOrganizations() {
  const { data: deleted } = useQuery(deletedOrganizationsQuery);
  return (
    <Deleted
      title={t('organizations')}
      icon={Building2}
      things={deleted?.map(({ slug, ...organization }) => ({ ...organization, id: slug }))}
      frozen={undefined}
      restorers={({ role }) => (role === 'owner' ? undefined : t('ownersRestore'))}
      restore={({ id, name }) => restoreOrganization(id, name)}
    />
  );
}
