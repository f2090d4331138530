import { useQuery } from '@tanstack/react-query';
import { GitBranch, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { data, http } from '@/api/client';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { useCommands } from '@/commands/registry';
import { act } from '@/data/act';
import { linksQuery, watchersQuery } from '@/data/items';
import { useMe } from '@/data/me';
import { milestonesQuery } from '@/data/milestones';
import { sprintsQuery, useLabelColors } from '@/data/projects';
import { setFields } from '@/items/actions';
import { DueDay } from '@/items/DueDay';
import { openBlockers } from '@/items/links';
import { type PickerKind, pick } from '@/items/pick';
import { copy } from '@/items/selection';
import { t as items } from '@/items/strings';
import { isComposing } from '@/lib/composing';
import { listed } from '@/lib/listed';
import { plain } from '@/lib/text';
import { useCardField } from '@/store/hooks';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { LabelChip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { TextField } from '@/ui/Field';
import { PriorityGlyph, priorityName, StateGlyph, TypeGlyph, typeName } from '@/ui/glyphs';
import styles from './aside.module.css';
import { ClaimBox } from './ClaimBox';
import type { ItemContext } from './context';
import { ItemLinks } from './ItemLinks';
import { branchOf } from './MoreMenu';
import { RunsPanel } from './RunsPanel';
import { t } from './strings';

/** The item's properties, who is at it, and its runs. */
export function Aside(context: ItemContext) {
  const { slug, project, card } = context;
  const colors = useLabelColors(slug, project);
  return (
    <aside className={styles.aside} aria-label={t('properties')}>
      <dl className={styles.list}>
        <Property {...context} kind="state" label={items('state')}>
          <StateGlyph group={card.stateGroup} />
          {plain(card.state)}
        </Property>
        <Property {...context} kind="priority" label={items('priority')}>
          <PriorityGlyph priority={card.priority} />
          {priorityName(card.priority)}
        </Property>
        <Property {...context} kind="assignee" label={items('assignee')}>
          {card.assignee ? (
            <>
              <Avatar name={card.assignee.name} agent={card.assignee.agent} decorative />
              <span className="truncate">{plain(card.assignee.name)}</span>
            </>
          ) : (
            <Nothing>{items('nobody')}</Nothing>
          )}
        </Property>
        <Property {...context} kind="labels" label={items('labels')} wrap>
          {card.labels.length > 0 ? (
            card.labels.map((label) => (
              <LabelChip key={label} name={label} color={colors.get(label.toLowerCase())} />
            ))
          ) : (
            <Nothing>{items('none')}</Nothing>
          )}
        </Property>
        <Property {...context} kind="estimate" label={items('estimate')}>
          {card.estimate ?? <Nothing>{items('none')}</Nothing>}
        </Property>
        <Property {...context} kind="remaining" label={items('remaining')}>
          {card.remaining ?? <Nothing>{items('none')}</Nothing>}
        </Property>
        <Property {...context} kind="due" label={items('due')}>
          {card.due ? <DueDay card={card} bare /> : <Nothing>{items('none')}</Nothing>}
        </Property>
        <SprintProperty {...context} />
        <MilestoneProperty {...context} />
        {card.type !== 'epic' && <ParentProperty {...context} />}
        <Property {...context} kind="type" label={items('type')} fixed={card.type === 'subtask'}>
          <TypeGlyph type={card.type} />
          {typeName(card.type)}
        </Property>
        <BlockedProperty {...context} />
      </dl>
      <ClaimBox {...context} />
      <RunsPanel {...context} />
      <ItemLinks {...context} />
      <Links {...context} />
      <Watchers {...context} />
      <footer className={styles.foot}>
        <Button size="small" kind="ghost" icon={GitBranch} onClick={() => void copy(branchOf(context))}>
          {t('branchName')}
        </Button>
        <p className="meta">
          {t('created', { name: plain(card.createdBy.name) })} <DateTime at={card.createdAt} />
        </p>
        <p className="meta">
          {t('updated')} <DateTime at={card.updatedAt} />
        </p>
      </footer>
    </aside>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <span className={styles.nothing}>{children}</span>;
}

interface PropertyProps extends ItemContext {
  kind: PickerKind;
  label: string;
  children: ReactNode;
  wrap?: boolean;
  /** Cannot be changed for what it is. */
  fixed?: boolean;
}

function Property({
  slug,
  project,
  card,
  access,
  frozen,
  kind,
  label,
  children,
  wrap,
  fixed,
}: PropertyProps) {
  const className = wrap ? `${styles.value} ${styles.wrap}` : styles.value;
  return (
    <div className={styles.property}>
      <dt className={styles.name}>{label}</dt>
      <dd className={styles.data}>
        {access.write && !fixed ? (
          <button
            type="button"
            className={className}
            data-property={kind}
            aria-haspopup="dialog"
            aria-disabled={frozen !== undefined || undefined}
            data-tip={frozen}
            onClick={(event) =>
              frozen === undefined &&
              pick({ slug, project, kind, keys: [card.key], anchor: event.currentTarget })
            }
          >
            <span className="visually-hidden">{label}: </span>
            {children}
          </button>
        ) : (
          <span className={className}>{children}</span>
        )}
      </dd>
    </div>
  );
}

function SprintProperty(context: ItemContext) {
  const { slug, project, card } = context;
  const { data: sprints } = useQuery({ ...sprintsQuery(slug, project), enabled: Boolean(card.sprint) });
  const name = sprints?.items.find((sprint) => sprint.id === card.sprint)?.name;
  return (
    <Property {...context} kind="sprint" label={items('sprint')}>
      {card.sprint ? (
        <span className="truncate">{plain(name ?? '…')}</span>
      ) : (
        <Nothing>{items('none')}</Nothing>
      )}
    </Property>
  );
}

function MilestoneProperty(context: ItemContext) {
  const { slug, project, card } = context;
  const { data: milestones } = useQuery({
    ...milestonesQuery(slug, project),
    enabled: Boolean(card.milestone),
  });
  const name = milestones?.find(({ id }) => id === card.milestone)?.name;
  return (
    <Property {...context} kind="milestone" label={items('milestone')}>
      {card.milestone ? (
        <span className="truncate">{plain(name ?? '…')}</span>
      ) : (
        <Nothing>{items('none')}</Nothing>
      )}
    </Property>
  );
}

function ParentProperty(context: ItemContext) {
  const { graph, card } = context;
  const title = useCardField(graph, card.parent ?? '', ({ title }) => title);
  return (
    <Property {...context} kind="parent" label={items('parent')}>
      {card.parent ? (
        <span className="truncate">
          {card.parent} {plain(title ?? '')}
        </span>
      ) : (
        <Nothing>{items('none')}</Nothing>
      )}
    </Property>
  );
}

function BlockedProperty({ slug, project, card, access, frozen }: ItemContext) {
  const { data: links } = useQuery(linksQuery(slug, card.key));
  const blockers = openBlockers(links?.items ?? []);
  // Which of the hidden links hold it up is hidden too: a person may have said it as well.
  const unseen = card.blocked && blockers.length === 0 && links !== undefined && links.hidden > 0;
  return (
    <div className={styles.property}>
      <dt className={styles.name}>{t('blocked')}</dt>
      <dd className={styles.data}>
        <label className={styles.value}>
          <input
            type="checkbox"
            className={styles.box}
            checked={card.blocked}
            disabled={!access.write || frozen !== undefined || blockers.length > 0}
            aria-label={t('blocked')}
            aria-description={unseen ? t('blockedUnseen') : undefined}
            onChange={(event) => setFields({ slug, project }, [card], { blocked: event.target.checked })}
          />
          {unseen && <span className={styles.nothing}>{t('blockedUnseen')}</span>}
          {blockers.length > 0 && (
            <span>
              {t('blockedUntil', { n: blockers.length, keys: listed(blockers.map(({ item }) => item)) })}
            </span>
          )}
        </label>
      </dd>
    </div>
  );
}

function Links({ slug, card, access, frozen }: ItemContext) {
  const [adding, setAdding] = useState(false);
  const [url, setUrl] = useState('');
  const params = { path: { slug, key: card.key } };
  const sending = useSending(async () => {
    await data(http.POST('/api/v1/orgs/{slug}/items/{key}/links', { params, body: { url } }));
    setUrl('');
    setAdding(false);
  });
  const unlink = (link: string) =>
    act(() =>
      data(
        http.DELETE('/api/v1/orgs/{slug}/items/{key}/links', { params: { ...params, query: { url: link } } }),
      ),
    );
  const editable = access.write && frozen === undefined;
  const add = () => setAdding(true);
  useCommands(editable ? [{ id: 'item.pull-request', title: t('addLink'), group: 'item', run: add }] : []);
  if (card.links.length === 0 && !editable) return null;
  return (
    <section className={styles.section} aria-label={t('links')}>
      <h2 className={styles.heading}>{t('links')}</h2>
      {card.links.length > 0 && (
        <ul>
          {card.links.map((link) => (
            <li key={link.url} className={styles.linkRow}>
              <a href={link.url} className="link truncate" target="_blank" rel="noreferrer noopener">
                {link.url.replace(/^https?:\/\//, '')}
              </a>
              {editable && (
                <IconButton
                  icon={X}
                  size="small"
                  label={t('unlink', { url: link.url })}
                  onClick={() => void unlink(link.url)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {adding ? (
        <form
          className={styles.form}
          onSubmit={sending.onSubmit}
          onKeyDown={(event) => event.key === 'Escape' && !isComposing(event.nativeEvent) && setAdding(false)}
        >
          <TextField
            label={t('linkUrl')}
            type="url"
            autoFocus
            required
            value={url}
            errors={sending.errorsOf('url')}
            onChange={(event) => setUrl(event.target.value)}
          />
          <FormProblem error={sending.error} />
          <Button size="small" kind="primary" type="submit" busy={sending.busy}>
            {t('add')}
          </Button>
        </form>
      ) : (
        editable && (
          <Button size="small" kind="ghost" onClick={add}>
            {t('addLink')}
          </Button>
        )
      )}
    </section>
  );
}

function Watchers({ slug, card }: ItemContext) {
  const me = useMe();
  const query = watchersQuery(slug, card.key);
  const { data: watchers } = useQuery(query);
  const watching = watchers?.some((person) => person.id === me.id);
  const params = { path: { slug, key: card.key } };
  const toggle = () =>
    act(
      () =>
        watching
          ? data(http.DELETE('/api/v1/orgs/{slug}/items/{key}/watch', { params }))
          : data(http.PUT('/api/v1/orgs/{slug}/items/{key}/watch', { params })),
      query.queryKey,
    );
  const label = watching ? t('unwatch') : t('watch');
  useCommands([{ id: 'item.watch', title: `${label} ${card.key}`, group: 'item', run: () => void toggle() }]);
  if (!watchers) return null;
  return (
    <section className={styles.section} aria-label={t('watchers')}>
      <header className={styles.headingRow}>
        <h2 className={styles.heading}>{t('watchers')}</h2>
        <Button size="small" kind="ghost" onClick={() => void toggle()}>
          {label}
        </Button>
      </header>
      {watchers.length > 0 && (
        <div className={styles.people}>
          {watchers.slice(0, 8).map((person) => (
            <Avatar key={person.id} name={person.name} agent={person.agent} />
          ))}
          {watchers.length > 8 && <span className="meta">+{watchers.length - 8}</span>}
        </div>
      )}
    </section>
  );
}
