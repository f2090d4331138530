import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Organization } from '@/api/types';
import { refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { deleteOrganization } from '@/data/organizations';
import { LISTS_OF_ORGANIZATIONS, placeWithout, tellDeleted } from '@/deletion/organizations';
import { t } from '@/deletion/strings';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Section } from '@/ui/Section';

/** Deletes an organization after its slug was typed, leads out of it, and says how it comes back. */
export function DeleteOrganization({ slug, organization }: { slug: string; organization: Organization }) {
  const { organizations } = useMe();
  const [asked, ask] = useState(false);
  const navigate = useNavigate();
  const name = plain(organization.name);
  const run = async () => {
    await deleteOrganization(slug);
    await navigate(address(placeWithout(slug, organizations)));
    tellDeleted(slug, name);
    await refresh(...LISTS_OF_ORGANIZATIONS);
  };
  return (
    <Section title={t('deleteOrganization')} about={`${t('aboutOrganization')} ${t('restorable')}`} danger>
      <div>
        <Button kind="danger" onClick={() => ask(true)}>
          {t('deleteEntry')}
        </Button>
      </div>
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('deleteTitle', { name })}
        action={t('delete')}
        typed={slug}
        run={run}
      >
        <p>{t('aboutOrganization')}</p>
        <p>{t('aboutOrganizationLater')}</p>
      </Confirm>
    </Section>
  );
}
