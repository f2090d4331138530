import { useQuery } from '@tanstack/react-query';
import { Bell, Monitor, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { problemOf } from '@/api/problem';
import { refresh } from '@/data/act';
import { preferencesQuery } from '@/data/notifications';
import { pushQuery, type ToldBrowser, testSubscription } from '@/data/push';
import { plain } from '@/lib/text';
import styles from '@/notifications/notifications.module.css';
import { abilityOf, turnOff, turnOn } from '@/notifications/push';
import { t as words } from '@/notifications/strings';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { ProblemPanel } from '@/ui/states';
import { toast, toastProblem } from '@/ui/toasts';
import settings from '../settings/settings.module.css';
import { t } from './notification-strings';

/** The browsers in which the person is told, and whether this is one of them. */
export function Browsers() {
  const { data: found, error, refetch } = useQuery(pushQuery);
  const [busy, setBusy] = useState(false);
  const [failed, fail] = useState<string>();
  const [ability, setAbility] = useState(() => abilityOf());
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!found) return null;
  const { publicKey, subscriptions } = found;
  const here = subscriptions.some(({ current }) => current);
  const begin = async () => {
    setBusy(true);
    fail(undefined);
    try {
      const told = await turnOn(publicKey ?? '');
      setAbility(abilityOf());
      if (told) toast(t('browserOn'));
    } catch (problem) {
      // What a browser says of itself is no problem of the service.
      if (problem instanceof DOMException)
        fail(t(problem.name === 'TimeoutError' ? 'browserSilent' : 'browserFailed'));
      else toastProblem(problem);
    } finally {
      setBusy(false);
      await refresh(pushQuery.queryKey, preferencesQuery.queryKey);
    }
  };
  const missing = publicKey ? (ability === 'able' ? undefined : t(`browser_${ability}`)) : t('browser_none');
  return (
    <Section
      title={t('browsers')}
      about={t('browsersAbout')}
      actions={
        !here && (
          <Button
            size="small"
            kind="primary"
            icon={Bell}
            busy={busy}
            refusal={missing}
            onClick={() => void begin()}
          >
            {t('turnOn')}
          </Button>
        )
      }
    >
      {!here && missing && <p className="meta">{missing}</p>}
      {!here && failed && (
        <p role="alert" className={styles.broken}>
          {failed}
        </p>
      )}
      <div className={settings.card}>
        {subscriptions.length === 0 && <p className={settings.empty}>{t('noBrowser')}</p>}
        <Rows label={t('browsers')}>
          {subscriptions.map((browser) => (
            <BrowserRow key={browser.id} browser={browser} />
          ))}
        </Rows>
      </div>
    </Section>
  );
}

function BrowserRow({ browser }: { browser: ToldBrowser }) {
  const [busy, setBusy] = useState(false);
  const [asked, ask] = useState(false);
  const name = plain(browser.name);
  const test = async () => {
    setBusy(true);
    try {
      await testSubscription(browser.id);
      toast(words('tested', { name }));
    } catch (error) {
      const { title, detail } = problemOf(error);
      toast(words('testFailed', { why: plain(detail || title) }), { tone: 'bad' });
    } finally {
      setBusy(false);
      await refresh(pushQuery.queryKey);
    }
  };
  return (
    <Row
      glyph={<Icon of={Monitor} size={14} />}
      title={name}
      tags={browser.current && <Chip tone="ok">{t('thisBrowser')}</Chip>}
      detail={
        <>
          {plain(browser.target)}
          {browser.lastError && (
            <span className={styles.broken}>{words('brokenWhy', { why: plain(browser.lastError) })}</span>
          )}
        </>
      }
      facts={[<DateTime key="at" at={browser.createdAt} />]}
      actions={
        <>
          <Button size="small" busy={busy} onClick={() => void test()}>
            {words('test')}
          </Button>
          <IconButton
            icon={Trash2}
            size="small"
            label={`${words('remove')}: ${name}`}
            onClick={() => ask(true)}
          />
          <Confirm
            open={asked}
            onClose={() => ask(false)}
            title={t('turnOffTitle', { name })}
            action={t('turnOff')}
            run={async () => {
              await turnOff(browser);
              await refresh(pushQuery.queryKey);
            }}
          >
            <p>{t('turnOffDetail')}</p>
          </Confirm>
        </>
      }
    />
  );
}
