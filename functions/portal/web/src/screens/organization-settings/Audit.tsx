import { useInfiniteQuery } from '@tanstack/react-query';
import { Cog } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from '@/app/params';
import { type AuditEntry, auditLines, auditQuery } from '@/data/audit';
import { save } from '@/lib/save';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
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
import { AuditFilters } from './AuditFilters';
import { filterOf } from './audit-filter';
import { t } from './audit-strings';
import { actionName, isOnesOwn } from './audit-words';
import type { OfOrganization } from './section';

/** The audit log: who did what, newest first. The address has what is asked for. */
export default function Audit({ slug }: OfOrganization) {
  const [search, change] = useSearchParams();
  const filter = filterOf(search);
  const filtered = Object.values(filter).some(Boolean);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(slug, filter),
  );
  const [failed, fail] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    fail(undefined);
    try {
      save(await auditLines(slug, filter), `${slug}-audit.ndjson`, 'application/x-ndjson');
    } catch (problem) {
      fail(problem);
    }
    setBusy(false);
  };
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Section
      title={t('audit')}
      about={t('about')}
      actions={
        <Button size="small" busy={busy} onClick={() => void download()}>
          {t('download')}
        </Button>
      }
    >
      <AuditFilters slug={slug} search={search} filtered={filtered} change={change} />
      {failed !== undefined && <ProblemPanel error={failed} retry={() => void download()} />}
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !entries ? (
        <Skeleton label={common('loading')} rows={8} height={44} />
      ) : (
        <div className={styles.card}>
          {entries.length === 0 && !hasNextPage && (
            <p className={styles.empty}>{t(filtered ? 'noneOfThat' : 'none')}</p>
          )}
          <Rows label={t('audit')}>
            {entries.map((entry) => (
              <AuditRow key={entry.id} slug={slug} entry={entry} />
            ))}
          </Rows>
        </div>
      )}
      {hasNextPage && (
        <div>
          <Button size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
    </Section>
  );
}

function AuditRow({ slug, entry }: { slug: string; entry: AuditEntry }) {
  const { action, by, via, project } = entry;
  const who = [by ? person(by.name, entry.byEmail) : t('itself'), via && t('via', { via: plain(via) })]
    .filter(Boolean)
    .join(', ');
  return (
    <Row
      glyph={by ? <Avatar name={by.name} agent={by.agent} decorative /> : <Icon of={Cog} size={14} />}
      title={actionName(action)}
      tags={project && <Chip>{project}</Chip>}
      detail={[who, about(slug, entry), changed(entry)].filter(Boolean).map((part, at) => (
        <span key={at}>
          {at > 0 && ' · '}
          {part}
        </span>
      ))}
      facts={[<DateTime key="at" at={entry.at} />]}
    />
  );
}

/** A person with their address: names are not unique, and people change them. */
function person(name: string, email: string | undefined): string {
  return email ? `${plain(name)} <${plain(email)}>` : plain(name);
}

/** What it was done to: a link, where there is something to look at. */
function about(slug: string, entry: AuditEntry) {
  const { action, name, email, subject, project, to } = entry;
  if (action.startsWith('run') && !action.startsWith('runner')) {
    return (
      <a className="link" href={`/o/${slug}/factory/runs/${subject}`}>
        {to}
      </a>
    );
  }
  if (action === 'itemRestored') {
    return (
      <a className="link" href={`/o/${slug}/p/${project}/items/${subject}`}>
        {subject}
      </a>
    );
  }
  if (isOnesOwn(entry)) return undefined;
  const key = action.startsWith('item') || action.startsWith('comment') ? subject : undefined;
  return name ? person(name, email) : key;
}

function changed({ action, from, to }: AuditEntry): string | undefined {
  if (action.startsWith('run') && !action.startsWith('runner')) return undefined;
  if (action === 'invitationAccepted') return undefined;
  return from && to ? t('change', { from: plain(from), to: plain(to) }) : to && plain(to);
}
