import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Actor, Run } from '@/api/types';
import { address } from '@/lib/address';
import { listed } from '@/lib/listed';
import { plain, projectOf } from '@/lib/text';
import { unmarked } from '@/lib/unmarked';
import { explain, pullRequestNumber } from '@/runs/explain';
import { RunChip } from '@/runs/RunChip';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import styles from './activity.module.css';
import { type Happening, lastOf } from './days';
import { t } from './strings';

/** As much of a text is shown as two lines hold. */
const SHOWN = 280;

interface EntryProps {
  at: string;
  glyph: ReactNode;
  head: ReactNode;
  said: string;
}

function Entry({ at, glyph, head, said }: EntryProps) {
  return (
    <li className={styles.entry}>
      {glyph}
      <div className={styles.words}>
        <p className={styles.head}>{head}</p>
        <p className={styles.said}>{said}</p>
      </div>
      <DateTime at={at} className={styles.when} />
    </li>
  );
}

type ItemHappening = Extract<Happening, { item: unknown }>;

/** Who made, moved or changed an item, or what somebody said about it. */
export function ItemEntry({ slug, ...one }: ItemHappening & { slug: string }) {
  const { item, at } = one;
  const title = plain(item.title);
  const page = `/o/${slug}/p/${projectOf(item.key)}/items/${item.key}`;
  const link = (hash = '') => (
    <Link {...address(`${page}${hash}`)} className="link">
      {item.key}
    </Link>
  );
  if ('comment' in one) {
    const { author, beginning, id } = one.comment;
    const said = unmarked(plain(beginning)).trim().slice(0, SHOWN);
    const head = (
      <>
        <Who {...author} /> <span>{t('commented')}</span> {link(`#${id}`)}
        <span className={styles.title}>{title}</span>
      </>
    );
    return <Entry at={at} glyph={<Face {...author} />} head={head} said={said} />;
  }
  if ('move' in one) {
    const { actor, action, from = '', to = '' } = one.move;
    const states = { from: plain(from), to: plain(to) };
    const how = action === 'transferred' ? t('transferred') : t('moved', states);
    const head = (
      <>
        <Who {...actor} /> <span>{t('movedItem')}</span> {link()} <span>{how}</span>
      </>
    );
    return <Entry at={at} glyph={<Face {...actor} />} head={head} said={title} />;
  }
  const fields = 'fields' in one && one.fields.map((field) => (field === 'body' ? t('description') : field));
  const head = (
    <>
      <Who {...one.by} /> <span>{fields ? t('changed', { fields: listed(fields) }) : t('created')}</span>{' '}
      {link()}
    </>
  );
  return <Entry at={at} glyph={<Face {...one.by} />} head={head} said={title} />;
}

const Who = ({ name }: Pick<Actor, 'name'>) => <span className={styles.agent}>{plain(name)}</span>;

const Face = ({ name, agent }: Pick<Actor, 'name' | 'agent'>) => (
  <Avatar name={name} agent={agent} size={24} decorative />
);

export function RunEntry({ run, operate }: { run: Run; operate: boolean }) {
  const said = explain(run, { operator: operate });
  const item = `/o/${run.organization}/p/${run.project}/items/${run.item}`;
  const href = operate ? `/o/${run.organization}/factory/runs/${run.id}` : item;
  const number = pullRequestNumber(run.pullRequest);
  const outcome = operate && run.status === 'succeeded' && run.outcome;
  const head = (
    <>
      <Who {...run.agent} />
      <Link {...address(item)} className="link">
        {run.item}
      </Link>
      <Link {...address(href)} className={styles.chip}>
        <RunChip run={run} operator={operate} />
      </Link>
      {run.pullRequest && (
        <a href={run.pullRequest} target="_blank" rel="noreferrer" className="link">
          {number ? `#${number}` : t('pullRequest')}{' '}
          <Icon of={ExternalLink} size={12} className={styles.inline} />
        </a>
      )}
    </>
  );
  return (
    <Entry
      at={lastOf(run)}
      glyph={<Face name={run.agent.name} agent />}
      head={head}
      said={(outcome && plain(outcome).slice(0, SHOWN)) || said.happened}
    />
  );
}
