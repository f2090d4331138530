import { useNavigate } from '@tanstack/react-router';
import type { Organization } from '@/api/types';
import { refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { deleteOrganization } from '@/data/organizations';
import { DeleteSection } from '@/deletion/DeleteSection';
import { LISTS_OF_ORGANIZATIONS, placeWithout, tellDeleted } from '@/deletion/organizations';
import { t } from '@/deletion/strings';
import { address } from '@/lib/address';

/** Deletes an organization after its slug was typed, leads out of it, and says how it comes back. */
export function DeleteOrganization({ slug, organization }: { slug: string; organization: Organization }) {
  const { organizations } = useMe();
  const navigate = useNavigate();
  const run = async () => {
    await deleteOrganization(slug);
    await navigate(address(placeWithout(slug, organizations)));
    tellDeleted(slug, organization.name);
    await refresh(...LISTS_OF_ORGANIZATIONS);
  };
  return (
    <DeleteSection
      title={t('deleteOrganization')}
      about={t('aboutOrganization')}
      name={organization.name}
      typed={slug}
      run={run}
    >
      <p>{t('aboutOrganization')}</p>
      <p>{t('aboutOrganizationLater')}</p>
    </DeleteSection>
  );
}
