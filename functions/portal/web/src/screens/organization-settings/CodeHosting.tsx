import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { codeHostQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import { Facts, Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { t as common } from '../settings/strings';
import type { OfOrganization } from './section';
import { t } from './strings';

/** The connection with a code host, which lets runs clone and push without credentials on the machines. */
export default function CodeHosting({ slug, frozen }: OfOrganization) {
  const { data: host, error, refetch } = useQuery(codeHostQuery(slug));
  const [asked, ask] = useState(false);
  const params = { path: { slug } };
  const sending = useSending(async () => {
    const departure = await data(
      http.POST('/api/v1/orgs/{slug}/code-host', { params, body: { returnTo: location.pathname } }),
    );
    location.assign(departure.installUrl);
  });
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!host) return <Skeleton label={common('loading')} rows={3} />;
  if (!host.available) return <Section title={t('codeHost')} about={t('hostUnavailable')} />;
  if (!host.connection) {
    return (
      <Section title={t('codeHost')} about={t('hostAbout', { host: host.url ? new URL(host.url).host : '' })}>
        <form className={form.form} onSubmit={sending.onSubmit}>
          {sending.error !== undefined && <ProblemPanel error={sending.error} />}
          <div>
            <Button type="submit" kind="primary" busy={sending.busy} refusal={frozen}>
              {t('connect')}
            </Button>
          </div>
        </form>
      </Section>
    );
  }
  const disconnect = async () => {
    await data(http.DELETE('/api/v1/orgs/{slug}/code-host', { params }));
    await refresh(['code-host', slug]);
  };
  return (
    <Section
      title={t('codeHost')}
      about={t('hostConnected')}
      actions={
        <Button size="small" kind="danger" refusal={frozen} onClick={() => ask(true)}>
          {t('disconnect')}
        </Button>
      }
    >
      <Facts
        of={[
          [t('account'), plain(host.connection.account)],
          [t('connectedBy'), plain(host.connection.connectedBy.name)],
          [t('since'), <DateTime key="at" at={host.connection.connectedAt} />],
        ]}
      />
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('disconnectTitle')}
        action={t('disconnect')}
        run={disconnect}
      >
        <p>{t('disconnectAbout')}</p>
      </Confirm>
    </Section>
  );
}
