import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { BellOff, Check, CheckCheck, Inbox as InboxIcon, Settings } from 'lucide-react';
import { useState } from 'react';
import type { Notification } from '@/api/types';
import { Page } from '@/app/Page';
import { useCurrentSlug } from '@/app/Sidebar';
import { useCommands } from '@/commands/registry';
import { act } from '@/data/act';
import { finishNotifications, inboxQuery, markNotification } from '@/data/inbox';
import { useMe } from '@/data/me';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { useMuteEntry } from '@/notifications/mutes';
import { useOrganizationStream } from '@/store/hooks';
import { queries } from '@/store/queries';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Menu } from '@/ui/Menu';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { grouped, hrefOf } from './entries';
import styles from './inbox.module.css';
import { t } from './strings';

/** What is new for the person, in all their organizations: what waits for them first. */
export default function Inbox() {
  const { data, error, refetch } = useQuery(inboxQuery);
  const navigate = useNavigate();
  const groups = grouped(data ?? [], serverNow());
  const order = groups.flatMap(({ entries }) => entries);
  useKeys(order);
  // The stream of the organization that was open last tells of news at once.
  useOrganizationStream(useCurrentSlug());
  return (
    <Page
      title={t('inbox')}
      actions={
        <>
          {order.length > 0 && (
            <Button size="small" icon={CheckCheck} onClick={() => void act(finishNotifications, ['inbox'])}>
              {t('allDone')}
            </Button>
          )}
          <IconButton
            icon={Settings}
            size="small"
            label={t('settings')}
            onClick={() => void navigate({ to: '/settings/notifications' })}
          />
        </>
      }
    >
      {error && !data ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={8} height={52} />
        </div>
      ) : order.length === 0 ? (
        <EmptyState icon={InboxIcon} title={t('none')}>
          {t('noneHint')}
        </EmptyState>
      ) : (
        groups.map(({ day = t('needsYou'), entries }) => (
          <Section key={day} title={day} flush>
            <ul>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          </Section>
        ))
      )}
    </Page>
  );
}

function Entry({ entry }: { entry: Notification }) {
  const { organizations } = useMe();
  const by = entry.news[0]?.by;
  return (
    <li className={cx(styles.entry, !entry.read && styles.unread)}>
      <span className={styles.dot} {...(entry.read ? {} : { role: 'img', 'aria-label': t('isUnread') })} />
      <Avatar name={plain(by?.name ?? entry.title)} agent={by?.agent ?? false} size={24} decorative />
      <div className={styles.words}>
        <p className={styles.head}>
          {entry.itemKey && <span className={styles.key}>{entry.itemKey}</span>}
          <Link
            {...address(hrefOf(entry, organizations))}
            className={styles.link}
            data-entry={entry.id}
            onClick={() => opened(entry)}
          >
            {plain(entry.title)}
          </Link>
        </p>
        <p className={styles.summary}>{plain(entry.summary)}</p>
      </div>
      <DateTime at={entry.at} className={styles.when} />
      <span className={styles.actions}>
        <IconButton icon={Check} size="small" label={t('done')} keys="e" onClick={() => finish(entry)} />
        <Mutes entry={entry} />
      </span>
    </li>
  );
}

/** What it is about can be muted where it is heard of. */
function Mutes({ entry }: { entry: Notification }) {
  const { organizationId, itemKey, project: key } = entry;
  const agent = entry.news.find(({ by }) => by?.agent)?.by;
  const item = useMuteEntry({ what: 'item', organizationId, key: itemKey ?? '' }, itemKey ?? '');
  const project = useMuteEntry({ what: 'project', organizationId, key: key ?? '' }, key ?? '');
  const worker = useMuteEntry({ what: 'agent', agentId: agent?.id ?? '' }, plain(agent?.name ?? ''));
  const entries = [itemKey && item, key && project, agent && worker].filter((one) => typeof one === 'object');
  if (entries.length === 0) return null;
  return (
    <Menu
      align="end"
      trigger={(props) => <IconButton {...props} icon={BellOff} size="small" label={t('mute')} />}
      entries={() => entries.map(({ label, run }) => ({ label, run }))}
    />
  );
}

/** What was opened is read. */
function opened(entry: Notification): void {
  if (!entry.read) void act(() => markNotification(entry, { read: true }), ['inbox']);
}

/** Takes an entry out of the list at once; a refusal brings it back. */
function finish(entry: Notification): void {
  queries.setQueryData(inboxQuery.queryKey, (entries) => entries?.filter(({ id }) => id !== entry.id));
  void act(() => markNotification(entry, { done: true }), ['inbox']);
}

/** The entry that the keys are about: the one with the focus, or the one that had it last. */
function useKeys(order: readonly Notification[]): void {
  const { organizations } = useMe();
  const navigate = useNavigate();
  const [last, setLast] = useState<string>();
  const place = () => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.entry ?? last;
    return order.findIndex((entry) => entry.id === id);
  };
  const go = (to: number) => {
    const entry = order[Math.max(0, Math.min(to, order.length - 1))];
    if (!entry) return;
    setLast(entry.id);
    document.querySelector<HTMLElement>(`[data-entry="${entry.id}"]`)?.focus();
  };
  const on = (work: (entry: Notification, at: number) => void) => () => {
    const at = place();
    const entry = order[at];
    if (entry) work(entry, at);
  };
  const toggle = (entry: Notification) =>
    void act(() => markNotification(entry, { read: !entry.read }), ['inbox']);
  const done = (entry: Notification, at: number) => {
    go(at + 1 < order.length ? at + 1 : at - 1);
    finish(entry);
  };
  const open = (entry: Notification) => {
    opened(entry);
    void navigate(address(hrefOf(entry, organizations)) as never);
  };
  const hidden = true;
  useCommands([
    { id: 'inbox.down', title: t('next'), group: 'view', keys: 'j', run: () => go(place() + 1), hidden },
    { id: 'inbox.up', title: t('previous'), group: 'view', keys: 'k', run: () => go(place() - 1), hidden },
    { id: 'inbox.open', title: t('open'), group: 'view', keys: 'o', run: on(open), hidden },
    { id: 'inbox.done', title: t('done'), group: 'item', keys: 'e', run: on(done), hidden },
    { id: 'inbox.read', title: t('unread'), group: 'item', keys: 'u', run: on(toggle), hidden },
  ]);
}
