import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { deletedOrganizationsQuery } from '@/data/organizations';
import { restoreOrganization } from '@/deletion/organizations';
import { t as deletion } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { ProblemPanel } from '@/ui/states';
import { Page } from './Page';
import styles from './States.module.css';
import { t } from './strings';

/** An address in an organization that was deleted: what the service says of it, and for its Owners the way back. */
export default function DeletedOrganization({ slug, error }: { slug: string; error: unknown }) {
  const { data: deleted } = useQuery(deletedOrganizationsQuery);
  const [busy, setBusy] = useState(false);
  const organization = deleted?.find((one) => one.slug === slug);
  const name = plain(organization?.name ?? slug);
  const restore = async () => {
    setBusy(true);
    await restoreOrganization(slug, name);
    setBusy(false);
  };
  return (
    <Page title={name}>
      <ProblemPanel error={error} />
      <div className={styles.after}>
        {organization?.role === 'owner' && (
          <Button kind="primary" icon={Undo2} busy={busy} onClick={() => void restore()}>
            {deletion('restoreOne', { name })}
          </Button>
        )}
        <Link to="/" className="link">
          {t('goHome')}
        </Link>
      </div>
    </Page>
  );
}
