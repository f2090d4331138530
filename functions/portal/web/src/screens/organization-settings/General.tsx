import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Organization } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { act, refresh } from '@/data/act';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { CheckField, TextField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import { DeleteOrganization } from './DeleteOrganization';
import type { OfOrganization } from './section';
import { t } from './strings';

/** Name, the read-only switch, leaving and deleting. */
export default function General({ slug, organization, administer, frozen }: OfOrganization) {
  return (
    <>
      {administer && (
        <Name key={organization.version} slug={slug} organization={organization} frozen={frozen} />
      )}
      {organization.role === 'owner' && <ReadOnly slug={slug} organization={organization} />}
      <Leave slug={slug} organization={organization} />
      {organization.role === 'owner' && <DeleteOrganization slug={slug} organization={organization} />}
    </>
  );
}

function send(slug: string, organization: Organization, body: { name?: string; readOnly?: boolean }) {
  const params = { path: { slug } };
  return data(
    http.PATCH('/api/v1/orgs/{slug}', { params, body: { version: organization.version, ...body } }),
  );
}

function Name({
  slug,
  organization,
  frozen,
}: {
  slug: string;
  organization: Organization;
  frozen: string | undefined;
}) {
  const { values, change, changed } = useValues({ name: organization.name });
  const sending = useSending(async () => {
    await send(slug, organization, { name: values.name.trim() });
    await refresh(['me']);
    toast(common('saved'));
  });
  return (
    <Section title={t('nameTitle')} about={t('slugIs', { slug })}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          disabled={frozen !== undefined}
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <SaveRow sending={sending} changed={changed} frozen={frozen} />
      </form>
    </Section>
  );
}

function ReadOnly({ slug, organization }: { slug: string; organization: Organization }) {
  const set = (readOnly: boolean) => void act(() => send(slug, organization, { readOnly }), ['me']);
  return (
    <Section title={t('readOnly')} about={t('readOnlyAbout')}>
      <CheckField
        label={t('readOnlyField')}
        checked={organization.readOnly}
        onChange={(event) => set(event.target.checked)}
      />
    </Section>
  );
}

function Leave({ slug, organization }: { slug: string; organization: Organization }) {
  const navigate = useNavigate();
  const [asked, ask] = useState(false);
  const leave = async () => {
    await data(http.POST('/api/v1/orgs/{slug}/leave', { params: { path: { slug } } }));
    await refresh(['me']);
    await navigate({ to: '/' });
  };
  return (
    <Section title={t('leave')} about={t('leaveAbout')} danger>
      <div>
        <Button kind="danger" onClick={() => ask(true)}>
          {t('leave')}
        </Button>
      </div>
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('leaveTitle', { name: plain(organization.name) })}
        action={t('leave')}
        run={leave}
      >
        <p>{t('leaveAbout')}</p>
      </Confirm>
    </Section>
  );
}
