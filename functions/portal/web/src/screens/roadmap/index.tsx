import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Flag, Map as MapIcon } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAccess, useItemAccess } from '@/app/access';
import { announce } from '@/app/announcer';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import { projectsQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { today } from '@/lib/days';
import { useNarrow } from '@/lib/media';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { undoable } from '@/store/undo';
import { Button } from '@/ui/Button';
import { TypeGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Tabs } from '@/ui/LinkTabs';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { toastProblem } from '@/ui/toasts';
import { DueHandle } from './DueHandle';
import { type Entry, useEntries } from './entries';
import styles from './roadmap.module.css';
import { t } from './strings';
import { arrow, dayNumber, dayText, monthsOf, spanOf, ZOOMS, type Zoom } from './timeline';

/** Heights of the head and of a row, in pixels, as in the style sheet. */
const HEAD = 32;
const ROW = 40;
/** What has no day is drawn so far beyond today. */
const UNSET = 21;

/** Milestones and open epics on a line of days, of one project or of all. */
export default function Roadmap() {
  const { slug, project } = useRouteParams('slug', 'project');
  const [search, change] = useSearchParams();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery(slug));
  const { entries, ready, error, retry } = useEntries(slug, projects.data ?? [], project || undefined);
  const zoom: Zoom = (Object.keys(ZOOMS) as Zoom[]).find((one) => one === search.zoom) ?? 'months';
  const about = projects.data?.find(({ key }) => key === project);
  const line = useRef<HTMLDivElement>(null);
  return (
    <Page
      fill
      title={t('title')}
      of={project && plain(about?.name ?? project)}
      actions={
        <>
          <Tabs
            label={t('zoom')}
            panel="roadmap"
            current={zoom}
            onChange={(next) => change({ zoom: next })}
            tabs={(Object.keys(ZOOMS) as Zoom[]).map((id) => ({ id, label: t(id) }))}
          />
          <Button size="small" onClick={() => showToday(line.current)}>
            {t('today')}
          </Button>
        </>
      }
    >
      <FrozenBar slug={slug} project={about} />
      <div id="roadmap" role="tabpanel" className={styles.panel}>
        {error !== undefined && error !== null && !ready ? (
          <ProblemPanel error={error} retry={retry} />
        ) : !ready || !projects.data ? (
          <Skeleton label={t('loading')} rows={8} height={32} />
        ) : entries.length === 0 ? (
          <EmptyState
            icon={MapIcon}
            title={t('empty')}
            action={{
              label: t(project ? 'toMilestones' : 'toProjects'),
              run: () =>
                void navigate(
                  address(project ? `/o/${slug}/p/${project}/milestones` : `/o/${slug}/p`) as never,
                ),
            }}
          >
            {t('emptyDetail')}
          </EmptyState>
        ) : (
          <Timeline line={line} slug={slug} entries={entries} zoom={zoom} named={!project} />
        )}
      </div>
    </Page>
  );
}

function showToday(line: HTMLDivElement | null): void {
  const mark = line?.querySelector<HTMLElement>('[data-today]');
  if (line && mark) line.scrollTo({ left: mark.offsetLeft - line.clientWidth / 2 });
}

interface TimelineProps {
  line: React.RefObject<HTMLDivElement | null>;
  slug: string;
  entries: readonly Entry[];
  zoom: Zoom;
  /** Whether entries are of several projects. */
  named: boolean;
}

function Timeline({ line, slug, entries, zoom, named }: TimelineProps) {
  const scale = ZOOMS[zoom];
  const now = dayNumber(today());
  // Days that were moved to and that the service has not told yet.
  const [moved, setMoved] = useState<ReadonlyMap<string, number>>(new Map());
  const endOf = (entry: Entry) => moved.get(entry.id) ?? entry.due ?? Math.max(entry.from, now) + UNSET;
  // While a bar is moved, the line of days stays as it is.
  const span = useMemo(
    () =>
      spanOf(
        entries.map(({ from, due }) => ({ from, to: due ?? Math.max(from, now) + UNSET })),
        now,
      ),
    [entries, now],
  );
  const x = (day: number) => (day - span.from) * scale;
  const labels = useNarrow() ? 132 : 264;
  const width = labels + x(span.to);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scale shows today again; moved days do not.
  useEffect(() => showToday(line.current), [zoom]);
  const move = (entry: Entry, day: number) => setMoved((old) => new Map(old).set(entry.id, day));
  const forget = (entry: Entry) => setMoved((old) => new Map([...old].filter(([id]) => id !== entry.id)));
  // Days of an entry are set one after the other: each names the version that the one before made.
  const sending = useRef(new Map<string, Promise<unknown>>());
  const send = (entry: Entry, to: string | null) => {
    const before = sending.current.get(entry.id) ?? Promise.resolve();
    const sent = before
      .then(() => entry.setDue(to))
      .catch(toastProblem)
      .finally(() => forget(entry));
    sending.current.set(entry.id, sent);
  };
  const set = (entry: Entry, day: number) => {
    const before = entry.due === undefined ? null : dayText(entry.due);
    const label = t('moved', { name: plain(entry.name), day: dayOf(`${dayText(day)}T00:00`) });
    announce(label);
    send(entry, dayText(day));
    undoable(label, () => send(entry, before));
  };
  const rows = new Map(entries.map((entry, at) => [entry.id, { entry, y: HEAD + at * ROW + ROW / 2 }]));
  const arrows = entries.flatMap((entry) =>
    entry.waits.flatMap((id) => {
      const [from, to] = [rows.get(id), rows.get(entry.id)];
      if (!from || !to) return [];
      const begin = { x: labels + x(endOf(from.entry)), y: from.y };
      return [{ id: `${id} ${entry.id}`, path: arrow(begin, { x: labels + x(entry.from), y: to.y }) }];
    }),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section ref={line} className={styles.line} aria-label={t('timeline')} tabIndex={0}>
      <div className={styles.sheet} style={{ width, '--labels': `${labels}px` } as React.CSSProperties}>
        <div className={styles.head}>
          <span className={styles.label}>{t('what')}</span>
          {monthsOf(span).map(({ day, year }) => (
            <span
              key={day}
              className={cx(styles.month, year && styles.year)}
              style={{ insetInlineStart: labels + x(day) }}
            >
              {monthName(day, year, zoom)}
            </span>
          ))}
        </div>
        <div className={styles.today} data-today style={{ insetInlineStart: labels + x(now) }} />
        <ul aria-label={t('timeline')}>
          {entries.map((entry) => (
            <EntryRow
              key={`${entry.project} ${entry.id}`}
              slug={slug}
              entry={entry}
              named={named}
              from={labels + x(entry.from)}
              end={endOf(entry)}
              width={x(endOf(entry)) - x(entry.from)}
              scale={scale}
              late={entry.due !== undefined && endOf(entry) < now}
              onMove={(day) => move(entry, day)}
              onSet={(day) => set(entry, day)}
            />
          ))}
        </ul>
        <svg className={styles.arrows} width={width} height={HEAD + entries.length * ROW} aria-hidden>
          <marker
            id="waits"
            viewBox="0 0 6 6"
            refX="1"
            refY="3"
            markerWidth="5"
            markerHeight="5"
            orient="auto"
          >
            <path d="M0 0L6 3L0 6Z" />
          </marker>
          {arrows.map(({ id, path }) => (
            <path key={id} d={path} markerEnd="url(#waits)" />
          ))}
        </svg>
      </div>
    </section>
  );
}

const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const monthAndYear = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

function monthName(day: number, year: boolean, zoom: Zoom): string {
  const at = day * 86_400_000;
  if (zoom === 'quarters' && new Date(at).getUTCMonth() % 3 !== 0) return '';
  return (year || zoom === 'weeks' ? monthAndYear : month).format(at);
}

interface EntryRowProps {
  slug: string;
  entry: Entry;
  named: boolean;
  from: number;
  end: number;
  width: number;
  scale: number;
  late: boolean;
  onMove: (day: number) => void;
  onSet: (day: number) => void;
}

function EntryRow({ slug, entry, named, from, end, width, scale, late, onMove, onSet }: EntryRowProps) {
  // Milestones and items ask for the same right.
  const { frozen } = useAccess(slug, entry.project);
  const { write } = useItemAccess(slug, entry.project);
  const name = plain(entry.name);
  const part = entry.all > 0 ? (100 * entry.done) / entry.all : 0;
  return (
    <li className={styles.row}>
      <span className={styles.label}>
        {entry.kind === 'milestone' ? <Icon of={Flag} size={14} /> : <TypeGlyph type="epic" labelled />}
        <Link {...address(entry.href)} className={cx('truncate', styles.name)} data-tip={name}>
          {name}
        </Link>
        {named && <span className={styles.project}>{entry.project}</span>}
        {entry.waits.length > 0 && (
          <span className="visually-hidden">{t('waits', { item: entry.waits.join(', ') })}</span>
        )}
      </span>
      <span
        className={cx(
          styles.bar,
          styles[entry.kind],
          entry.due === undefined && styles.unset,
          late && styles.late,
        )}
        style={{ insetInlineStart: from, width: Math.max(10, width) }}
      >
        <i className={styles.done} style={{ width: `${part}%` }} />
        {write && frozen === undefined && (
          <DueHandle entry={entry} day={end} scale={scale} onMove={onMove} onSet={onSet} />
        )}
      </span>
      <span className={styles.day} style={{ insetInlineStart: from + Math.max(10, width) + 12 }} aria-hidden>
        {entry.due === undefined ? '' : dayOf(`${dayText(end)}T00:00`)}
      </span>
    </li>
  );
}
