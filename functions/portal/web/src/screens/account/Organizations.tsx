import { useNavigate } from '@tanstack/react-router';
import { Building2, Plus } from 'lucide-react';
import { useMe } from '@/data/me';
import { DeletedOrganizations } from '@/deletion/DeletedOrganizations';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import styles from '../settings/settings.module.css';
import { t } from './strings';

/** The person's organizations, and those that were deleted. */
export default function Organizations() {
  const { organizations, canCreateOrganizations } = useMe();
  const navigate = useNavigate();
  const create = canCreateOrganizations && (
    <Button size="small" icon={Plus} onClick={() => void navigate({ to: '/new-organization' })}>
      {t('newOrganization')}
    </Button>
  );
  return (
    <>
      <Section
        title={t('organizationCount', { n: organizations.length })}
        about={t('organizationsAbout')}
        actions={create}
      >
        <div className={styles.card}>
          {organizations.length === 0 && <p className={styles.empty}>{t('noOrganization')}</p>}
          <Rows label={t('organizations')}>
            {organizations.map(({ slug, name, role }) => (
              <Row
                key={slug}
                glyph={<Icon of={Building2} />}
                title={plain(name)}
                href={`/o/${slug}`}
                detail={slug}
                facts={[t(`role_${role}`)]}
              />
            ))}
          </Rows>
        </div>
      </Section>
      <DeletedOrganizations />
    </>
  );
}
