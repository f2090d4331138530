import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { Page } from '@/app/Page';
import { meQuery, useMe } from '@/data/me';
import { DeletedOrganizations } from '@/deletion/DeletedOrganizations';
import { slugOf } from '@/lib/text';
import { queries } from '@/store/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { t } from './strings';

/** A further organization, or the first of somebody who is in none. */
export default function NewOrganization() {
  const { organizations } = useMe();
  const [name, setName] = useState('');
  const [own, setOwn] = useState<string>();
  const slug = own ?? slugOf(name);
  const navigate = useNavigate();
  const sending = useSending(async () => {
    const made = await data(http.POST('/api/v1/orgs', { body: { name, slug } }));
    await queries.refetchQueries(meQuery);
    await navigate({ to: '/o/$slug/p', params: { slug: made.slug } });
  });
  return (
    <Page title={t('title')} narrow>
      <form
        className={form.form}
        onSubmit={sending.onSubmit}
        style={{ maxWidth: '24rem', marginBottom: 'var(--s-24)' }}
      >
        <p style={{ color: 'var(--text-2)' }}>{organizations.length === 0 ? t('first') : t('lead')}</p>
        <TextField
          label={t('name')}
          required
          autoFocus
          value={name}
          errors={sending.errorsOf('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t('slug')}
          required
          value={slug}
          hint={t('slugHint', { slug: slug || '…' })}
          errors={sending.errorsOf('slug')}
          onChange={({ target }) => setOwn(target.value)}
        />
        <FormProblem error={sending.error} />
        <div className={form.row}>
          <Button kind="primary" type="submit" busy={sending.busy}>
            {t('create')}
          </Button>
        </div>
      </form>
      <DeletedOrganizations />
    </Page>
  );
}
