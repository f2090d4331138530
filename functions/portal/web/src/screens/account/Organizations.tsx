import { useNavigate } from '@tanstack/react-router';
import { Building2, Plus } from 'lucide-react';
import { useMe } from '@/data/me';
import { DeletedOrganizations } from '@/deletion/DeletedOrganizations';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { t } from './strings';

/** The person's organizations, and those that were deleted. */
export default function Organizations() {
  const { organizations } = useMe();
  const navigate = useNavigate();
  const create = (
    <Button size="small" icon={Plus} onClick={() => void navigate({ to: '/new-organization' })}>
      {t('newOrganization')}
    </Button>
  );
  return (
    <>
      <Section
        title={t('organizations')}
        about={organizations.length === 0 ? t('noOrganization') : undefined}
        actions={create}
        flush
      >
        {organizations.length > 0 && (
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
        )}
      </Section>
      <DeletedOrganizations />
    </>
  );
}
