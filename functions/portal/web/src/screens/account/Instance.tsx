import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Building2, Cog } from 'lucide-react';
import { Missing } from '@/app/States';
import { act } from '@/data/act';
import {
  deadLettersQuery,
  instanceAuditQuery,
  instanceOrganizationsQuery,
  instanceQuery,
  replayDeadLetters,
  testMail,
} from '@/data/instance';
import { useMe } from '@/data/me';
import { humanSize } from '@/lib/size';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { actionName } from '../organization-settings/audit-words';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { InstanceAccounts } from './InstanceAccounts';
import { t } from './instance-strings';

/** The administration of the instance: how it does, its accounts and organizations, and what admins did. */
export default function Instance() {
  const { instanceAdmin } = useMe();
  if (!instanceAdmin) return <Missing />;
  return (
    <>
      <Overview />
      <InstanceAccounts />
      <Organizations />
      <Log />
    </>
  );
}

function Overview() {
  const { data: instance, error, refetch } = useQuery(instanceQuery);
  const { data: letters } = useQuery(deadLettersQuery);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!instance) return <Skeleton label={common('loading')} rows={4} height={44} />;
  const test = () =>
    void act(async () => {
      const { taken, to, error: why } = await testMail();
      toast(taken ? t('taken', { to }) : t('notTaken', { why: plain(why ?? '') }));
    }, instanceQuery.queryKey);
  const replay = () => void act(replayDeadLetters, ['instance']);
  const mail = instance.mailError ? t('mailFails', { why: plain(instance.mailError) }) : t('mailWorks');
  const kinds = [...new Set(letters?.map((letter) => letter.kind))];
  return (
    <Section title={t('instance')} about={t('about')}>
      <div className={styles.card}>
        <Rows label={t('instance')}>
          <Row title={t('store')} facts={[storeSays(instance.store)]} />
          <Row
            title={t('mail')}
            detail={instance.mail ? mail : t('mailOff')}
            actions={
              instance.mail && (
                <Button size="small" onClick={test}>
                  {t('testMail')}
                </Button>
              )
            }
          />
          <Row
            title={t('failed')}
            detail={kinds.join(', ')}
            facts={[t('failedCount', { n: instance.deadLetters })]}
            actions={
              instance.deadLetters > 0 && (
                <Button size="small" onClick={replay}>
                  {t('replay')}
                </Button>
              )
            }
          />
          <Row title={t('stored')} facts={[humanSize(instance.storedBytes)]} />
          <Row
            title={t('runners')}
            facts={
              instance.runners.length === 0
                ? [t('noRunners')]
                : instance.runners.map(({ version, runners, online }) =>
                    t('runnersOf', {
                      version: plain(version ?? '') || t('unknownVersion'),
                      n: runners,
                      online,
                    }),
                  )
            }
          />
        </Rows>
      </div>
    </Section>
  );
}

function storeSays(store: string): string {
  switch (store) {
    case 'well':
    case 'full':
    case 'readsOnly':
    case 'away':
    case 'lost':
    case 'attachmentsLost':
      return t(`store_${store}`);
    default:
      return store;
  }
}

function Organizations() {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(instanceOrganizationsQuery);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  const organizations = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title={t('organizationCount', { n: data?.pages[0]?.totalCount ?? 0 })}>
      <div className={styles.card}>
        <Rows label={t('organizations')}>
          {organizations.map(({ slug, name, owners, members, items, storedBytes, plan }) => (
            <Row
              key={slug}
              glyph={<Icon of={Building2} />}
              title={plain(name)}
              detail={`${slug} · ${owners.join(', ')}`}
              facts={[
                t('members', { n: members }),
                t('items', { n: items }),
                humanSize(storedBytes),
                ...(plan ? [plan] : []),
              ]}
            />
          ))}
        </Rows>
      </div>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('more')}</Button>}
    </Section>
  );
}

function Log() {
  const { data: page, error, refetch } = useQuery(instanceAuditQuery);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  return (
    <Section title={t('log')}>
      <div className={styles.card}>
        {page?.entries.length === 0 && <p className={styles.empty}>{t('nothingYet')}</p>}
        <Rows label={t('log')}>
          {page?.entries.map((entry) => (
            <Row
              key={entry.id}
              glyph={<Icon of={Cog} />}
              title={actionName(entry.action)}
              detail={entry.email ?? plain(entry.name ?? entry.to ?? '')}
              facts={[entry.byEmail ?? entry.via ?? t('console'), <DateTime key="at" at={entry.at} />]}
            />
          ))}
        </Rows>
      </div>
    </Section>
  );
}
