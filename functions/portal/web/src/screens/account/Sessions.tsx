import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { data, http } from '@/api/client';
import { act } from '@/data/act';
import { sessionsQuery } from '@/data/settings';
import { browserOf } from '@/lib/browser';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { t } from './strings';

/** Browsers in which the person is signed in. */
export default function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!sessions) return <Skeleton label={common('loading')} rows={3} height={44} />;
  const end = (id: string) =>
    void act(() => data(http.DELETE('/api/v1/me/sessions/{id}', { params: { path: { id } } })), ['sessions']);
  const endOthers = () => void act(() => data(http.DELETE('/api/v1/me/sessions')), ['sessions']);
  const others = sessions.some((session) => !session.current);
  return (
    <Section
      title={t('sessionCount', { n: sessions.length })}
      about={t('sessionsAbout')}
      actions={
        others && (
          <Button size="small" onClick={endOthers}>
            {t('endOthers')}
          </Button>
        )
      }
    >
      <div className={styles.card}>
        <Rows label={t('sessions')}>
          {sessions.map((session) => (
            <Row
              key={session.id}
              glyph={<Icon of={/Mobile|Android|iPhone/.test(session.client) ? Smartphone : Monitor} />}
              title={browserOf(plain(session.client)) ?? t('unknownBrowser')}
              tags={session.current && <Chip tone="ok">{t('thisOne')}</Chip>}
              facts={[<DateTime key="at" at={session.renewedAt} />]}
              actions={
                !session.current && (
                  <Button size="small" onClick={() => end(session.id)}>
                    {t('end')}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      </div>
    </Section>
  );
}
