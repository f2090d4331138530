import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { act } from '@/data/act';
import {
  type Account,
  type AccountAct,
  accountsQuery,
  changeAccount,
  makePasswordLink,
} from '@/data/instance';
import { useMe } from '@/data/me';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { CopyField } from '@/ui/CopyField';
import { DateTime } from '@/ui/DateTime';
import { TextField } from '@/ui/Field';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { t } from './instance-strings';

/** The accounts of the instance: found, disabled, enabled, signed out, and given a link to a new password. */
export function InstanceAccounts() {
  const [text, search] = useState('');
  const q = useDeferredValue(text.trim());
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(accountsQuery(q));
  const [disabling, disable] = useState<Account>();
  const change = (id: string, what: AccountAct) => act(() => changeAccount(id, what), ['instance']);
  const accounts = data?.pages.flatMap((page) => page.items);
  return (
    <Section title={t('accountCount', { n: data?.pages[0]?.totalCount ?? 0 })} about={t('accountsAbout')}>
      <TextField
        label={t('search')}
        type="search"
        value={text}
        onChange={(event) => search(event.target.value)}
      />
      {error && <ProblemPanel error={error} retry={() => void refetch()} />}
      {!accounts && !error && <Skeleton label={common('loading')} rows={4} height={44} />}
      <div className={styles.card}>
        {accounts?.length === 0 && <p className={styles.empty}>{t('nobody')}</p>}
        <Rows label={t('accounts')}>
          {accounts?.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              change={(what) => void change(account.id, what)}
              disable={() => disable(account)}
            />
          ))}
        </Rows>
      </div>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{t('more')}</Button>}
      {disabling && (
        <Confirm
          open
          onClose={() => disable(undefined)}
          title={t('disableTitle', { name: plain(disabling.displayName) })}
          action={t('disable')}
          run={() => change(disabling.id, 'disable')}
        >
          {t('disableText')}
        </Confirm>
      )}
    </Section>
  );
}

interface AccountRowProps {
  account: Account;
  change: (what: AccountAct) => void;
  disable: () => void;
}

function AccountRow({ account, change, disable }: AccountRowProps) {
  const me = useMe();
  const [link, give] = useState<string>();
  const { id, email, displayName, disabledAt, lastSignInAt, instanceAdmin, organizations } = account;
  const makeLink = () =>
    void act(async () => {
      const made = await makePasswordLink(id);
      give(made.link);
      if (made.mailed) toast(t('linkMailed', { email }));
    }, ['instance', 'audit']);
  return (
    <Row
      title={plain(displayName)}
      detail={[email, ...organizations.map(({ slug }) => slug)].join(' · ')}
      dimmed={disabledAt !== undefined}
      tags={
        disabledAt ? (
          <Chip tone="warn">{t('disabled')}</Chip>
        ) : (
          instanceAdmin && <Chip tone="ok">{t('admin')}</Chip>
        )
      }
      facts={[
        lastSignInAt ? (
          <span key="at">
            {t('lastSignIn')} <DateTime at={lastSignInAt} />
          </span>
        ) : (
          t('neverSignedIn')
        ),
      ]}
      actions={
        <>
          <Button size="small" onClick={makeLink}>
            {t('passwordLink')}
          </Button>
          <Button size="small" onClick={() => change('sign-out')}>
            {t('signOut')}
          </Button>
          {disabledAt && (
            <Button size="small" onClick={() => change('enable')}>
              {t('enable')}
            </Button>
          )}
          {!disabledAt && id !== me.id && (
            <Button size="small" kind="danger" onClick={disable}>
              {t('disable')}
            </Button>
          )}
        </>
      }
      inside={link && <CopyField label={t('linkFor', { email })} value={link} />}
    />
  );
}
