import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import type { ItemLink } from '@/api/types';
import { linksQuery } from '@/data/items';
import { byKind, linkName, unlinkHidden, unlinkItem } from '@/items/links';
import { pick } from '@/items/pick';
import { isOver } from '@/items/states';
import { plain, projectOf } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import { useCard } from '@/store/hooks';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { StateGlyph } from '@/ui/glyphs';
import styles from './aside.module.css';
import type { ItemContext } from './context';
import { t } from './strings';

/** Other items that this one is linked with. */
export function ItemLinks({ slug, project, graph, card, access, frozen }: ItemContext) {
  const { data: links } = useQuery(linksQuery(slug, card.key));
  const editable = access.write && frozen === undefined;
  if (!links || (links.items.length === 0 && links.hidden === 0 && !editable)) return null;
  return (
    <section className={styles.section} aria-label={t('itemLinks')} data-property="link">
      <h2 className={styles.heading}>{t('itemLinks')}</h2>
      {byKind(links.items).map(([kind, some]) => (
        <div key={kind}>
          <h3 className={styles.linkKind}>{linkName(kind)}</h3>
          <ul>
            {some.map((link) => (
              <LinkedItem
                key={link.item}
                slug={slug}
                graph={graph}
                link={link}
                unlink={editable ? () => void unlinkItem(slug, card.key, link) : undefined}
              />
            ))}
          </ul>
        </div>
      ))}
      {links.hidden > 0 && (
        <HiddenLinks
          slug={slug}
          item={card.key}
          seen={links.items.length}
          hidden={links.hidden}
          editable={editable}
        />
      )}
      {editable && (
        <Button
          size="small"
          kind="ghost"
          data-tip-keys="shift+l"
          aria-haspopup="dialog"
          onClick={(event) =>
            pick({ slug, project, kind: 'link', keys: [card.key], anchor: event.currentTarget })
          }
        >
          {t('addItemLink')}
        </Button>
      )}
    </section>
  );
}

interface HiddenLinksProps {
  slug: string;
  item: string;
  seen: number;
  hidden: number;
  editable: boolean;
}

/** Links with items of projects that the viewer does not see: how many there are, and a way to end them. */
function HiddenLinks({ slug, item, seen, hidden, editable }: HiddenLinksProps) {
  const [asked, ask] = useState(false);
  return (
    <div className={styles.linkRow}>
      <p className={styles.nothing}>{t(seen > 0 ? 'moreHidden' : 'onlyHidden', { n: hidden })}</p>
      {editable && (
        <IconButton
          icon={X}
          size="small"
          aria-haspopup="dialog"
          label={t('unlinkHidden', { n: hidden })}
          onClick={() => ask(true)}
        />
      )}
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('unlinkHiddenTitle', { n: hidden })}
        action={t('unlinkHiddenAction')}
        run={() => unlinkHidden(slug, item)}
      >
        <p>{t('unlinkHiddenDetail', { key: item })}</p>
      </Confirm>
    </div>
  );
}

interface LinkedItemProps {
  slug: string;
  graph: ProjectGraph;
  link: ItemLink;
  unlink: (() => void) | undefined;
}

/** An item of this project is shown as it is now, another one as it was when the links were read. */
function LinkedItem({ slug, graph, link, unlink }: LinkedItemProps) {
  const { stateGroup, state, title } = useCard(graph, link.item) ?? link;
  const over = isOver({ stateGroup });
  return (
    <li className={styles.linkRow}>
      <Link
        to="/o/$slug/p/$project/items/$item"
        params={{ slug, project: projectOf(link.item), item: link.item }}
        className={styles.linked}
        data-over={over || undefined}
        data-tip={plain(title)}
      >
        <span role="img" aria-label={plain(state)} className={styles.linkState}>
          <StateGlyph group={stateGroup} />
        </span>
        <span className="meta tabular">{link.item}</span>
        <span className="truncate">{plain(title)}</span>
      </Link>
      {unlink && (
        <IconButton icon={X} size="small" label={t('unlinkItem', { key: link.item })} onClick={unlink} />
      )}
    </li>
  );
}
