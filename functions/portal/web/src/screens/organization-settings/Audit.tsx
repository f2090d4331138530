import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Cog } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from '@/app/params';
import { type AuditEntry, auditLines, auditQuery } from '@/data/audit';
import { membersQuery } from '@/data/settings';
import { save } from '@/lib/save';
import { byName, plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import filters from '@/ui/Filters.module.css';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { t } from './audit-strings';
import { AUDIT_GROUPS, type AuditGroup, actionName } from './audit-words';
import type { OfOrganization } from './section';

/** The audit log: who did what, newest first. */
export default function Audit({ slug }: OfOrganization) {
  const [{ what, by }, change] = useSearchParams();
  const actions: readonly string[] | undefined = AUDIT_GROUPS[what as AuditGroup];
  const filter = { action: actions?.join(), by };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(slug, filter),
  );
  const { data: members } = useQuery(membersQuery(slug));
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
      <div className={filters.filters}>
        <select
          aria-label={t('anyAction')}
          value={actions ? what : ''}
          onChange={(event) => change({ what: event.target.value })}
        >
          <option value="">{t('anyAction')}</option>
          {(Object.keys(AUDIT_GROUPS) as AuditGroup[]).map((group) => (
            <option key={group} value={group}>
              {t(`group_${group}`)}
            </option>
          ))}
        </select>
        <select
          aria-label={t('anybody')}
          value={by ?? ''}
          onChange={(event) => change({ by: event.target.value })}
        >
          <option value="">{t('anybody')}</option>
          {members
            ?.filter(({ invitation }) => !invitation)
            .sort((one, other) => byName(one.displayName, other.displayName))
            .map(({ userId, displayName }) => (
              <option key={userId} value={userId}>
                {plain(displayName)}
              </option>
            ))}
        </select>
      </div>
      {failed !== undefined && <ProblemPanel error={failed} retry={() => void download()} />}
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !entries ? (
        <Skeleton label={common('loading')} rows={8} height={44} />
      ) : (
        <div className={styles.card}>
          {entries.length === 0 && !hasNextPage && (
            <p className={styles.empty}>{t(actions || by ? 'noneOfThat' : 'none')}</p>
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
function about(slug: string, { action, name, email, subject, project, to }: AuditEntry) {
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
  const key = action.startsWith('item') || action.startsWith('comment') ? subject : undefined;
  return name ? person(name, email) : key;
}

function changed({ action, from, to }: AuditEntry): string | undefined {
  if (action.startsWith('run') && !action.startsWith('runner')) return undefined;
  if (action === 'invitationAccepted') return undefined;
  return from && to ? t('change', { from: plain(from), to: plain(to) }) : to && plain(to);
}
