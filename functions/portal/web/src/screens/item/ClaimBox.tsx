import { data, http } from '@/api/client';
import { act } from '@/data/act';
import { itemQuery } from '@/data/items';
import { useMe } from '@/data/me';
import { plain } from '@/lib/text';
import { ago } from '@/lib/times';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { useMinute } from '@/ui/DateTime';
import styles from './aside.module.css';
import type { ItemContext } from './ItemView';
import { t } from './strings';

/** Who works on the item: claim it, release it, or take over what went quiet. */
export function ClaimBox({ slug, graph, card, access, frozen }: ItemContext) {
  useMinute();
  const me = useMe();
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
  const release = () =>
    act(async () => {
      graph.confirm(await data(http.POST('/api/v1/orgs/{slug}/items/{key}/release', { params })));
    }, key);
  const free = !claim || claim.stale;
  return (
    <section className={styles.section} aria-label={t('claim')}>
      <h2 className={styles.heading}>{t('claim')}</h2>
      <div className={styles.claim}>
        {claim ? (
          <>
            <Avatar name={claim.holderName} agent={claim.agent} decorative />
            <p className={styles.claimText}>
              {mine
                ? t('you', { since: ago(claim.since) })
                : t('claimed', { name: plain(claim.holderName), since: ago(claim.since) })}
              {claim.stale && <span className={styles.stale}> {t('stale')}</span>}
            </p>
          </>
        ) : (
          <p className={`${styles.claimText} ${styles.nothing}`}>{t('claimHint')}</p>
        )}
        {access.write && mine && (
          <Button size="small" refusal={frozen} onClick={() => void release()}>
            {t('release')}
          </Button>
        )}
        {access.write && !mine && free && (
          <Button size="small" refusal={frozen} onClick={() => void take()}>
            {claim ? t('takeOver') : t('claim')}
          </Button>
        )}
      </div>
    </section>
  );
}
