import { useState } from 'react';
import { data, http } from '@/api/client';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { itemQuery } from '@/data/items';
import { useMe } from '@/data/me';
import { plain } from '@/lib/text';
import { agoSpoken } from '@/lib/times';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { useMinute } from '@/ui/DateTime';
import styles from './aside.module.css';
import type { ItemContext } from './context';
import { t } from './strings';

/** Who works on the item: claim it, release it, or take over what went quiet. */
export function ClaimBox({ slug, graph, card, detail, access, frozen }: ItemContext) {
  useMinute();
  const me = useMe();
  const [releasing, setReleasing] = useState(false);
  const { claim } = card;
  const mine = claim?.holder === me.id;
  const params = { path: { slug, key: card.key } };
  const key = itemQuery(slug, card.key).queryKey;
  const take = () =>
    act(async () => {
      graph.confirm(
        await data(
          http.POST('/api/v1/orgs/{slug}/items/{key}/claim', { params, body: { version: card.version } }),
        ),
      );
    }, key);
  const send = async () => {
    graph.confirm(await data(http.POST('/api/v1/orgs/{slug}/items/{key}/release', { params })));
  };
  const release = () => act(send, key);
  // Admins release other people's claims too, once they know whose it is. A run's claim ends with the run.
  const foreign = claim && !mine && access.configure && !card.liveRun ? claim : undefined;
  const releaseForeign = async () => {
    await send();
    await refresh(key);
  };
  // That a claim went quiet is no change that the feed tells of: what was read last knows it.
  const read = detail?.claim;
  const isRead = claim && read?.holder === claim.holder && read.heartbeatAt >= claim.heartbeatAt;
  const quiet = claim && (isRead ? read.stale : claim.stale);
  const free = !claim || quiet;
  const next = mine
    ? { title: t('release'), run: release }
    : free
      ? { title: claim ? t('takeOver') : t('claim'), run: take }
      : undefined;
  useCommands(
    access.write && next
      ? [
          {
            id: 'item.claim',
            title: `${next.title} ${card.key}`,
            group: 'item',
            refusal: frozen,
            run: () => void next.run(),
          },
        ]
      : [],
  );
  return (
    <section className={styles.section} aria-label={t('claim')}>
      <h2 className={styles.heading}>{t('claim')}</h2>
      <div className={styles.claim}>
        {claim ? (
          <>
            <Avatar name={claim.holderName} agent={claim.agent} decorative />
            <p className={styles.claimText}>
              {mine
                ? t('you', { since: agoSpoken(claim.since) })
                : t('claimed', { name: plain(claim.holderName), since: agoSpoken(claim.since) })}
              {quiet && !mine && <span className={styles.stale}> {t('quiet')}</span>}
            </p>
          </>
        ) : (
          <p className={`${styles.claimText} ${styles.nothing}`}>{t('claimHint')}</p>
        )}
        {access.write && next && (
          <Button size="small" refusal={frozen} onClick={() => void next.run()}>
            {next.title}
          </Button>
        )}
        {foreign && (
          <Button size="small" refusal={frozen} onClick={() => setReleasing(true)}>
            {t('release')}
          </Button>
        )}
      </div>
      {foreign && (
        <Confirm
          open={releasing}
          onClose={() => setReleasing(false)}
          title={t('releaseTitle', { name: plain(foreign.holderName) })}
          action={t('release')}
          run={releaseForeign}
        >
          {t('releaseDetail', {
            name: plain(foreign.holderName),
            key: card.key,
            since: agoSpoken(foreign.since),
          })}
        </Confirm>
      )}
    </section>
  );
}
