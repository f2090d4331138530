import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookText, MessageSquare, Search as SearchIcon, SquareKanban, UserRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import type { ItemType, SearchResult } from '@/api/types';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { countsQuery } from '@/data/counts';
import { useWayThrough } from '@/items/selection';
import { address } from '@/lib/address';
import { isComposing } from '@/lib/composing';
import { plain } from '@/lib/text';
import { unmarked } from '@/lib/unmarked';
import { Chip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { TypeGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Tabs } from '@/ui/LinkTabs';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './search.module.css';
import { t } from './strings';
import { MOST, searchQuery, TYPES, type Type, told } from './totals';

const REST = 200;

/** Search over the organization. What is asked for is in the address. */
export default function Search() {
  const { slug } = useRouteParams('slug');
  const [search, setSearch] = useSearchParams();
  const { q = '', types = '' } = search;
  const type = (TYPES.includes(types as Type) ? types : '') as Type;
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  useEffect(() => {
    if (text === q) return undefined;
    const timer = setTimeout(() => setSearch({ q: text.trim() || undefined }), REST);
    return () => clearTimeout(timer);
  }, [text, q, setSearch]);
  const found = useQuery({ ...searchQuery(slug, q, type), placeholderData: keepPreviousData });
  const everything = useQuery(searchQuery(slug, q, ''));
  const totals = everything.data?.totals;
  const results = found.data?.results ?? [];
  // A search answers its best; how many items have the words is counted.
  const counted = useQuery({
    ...countsQuery(slug, 'stateGroup', '', q),
    enabled: results.length >= MOST && (type === '' || type === 'items'),
  });
  useWayThrough(() => results.flatMap(({ key, type }) => (type === 'item' && key ? [key] : [])));
  return (
    <Page title={t('title')}>
      <div className={styles.search} onKeyDown={walk}>
        <search className={styles.field}>
          <Icon of={SearchIcon} className={styles.icon} />
          <input
            type="search"
            autoFocus
            aria-label={t('label')}
            placeholder={t('placeholder')}
            maxLength={500}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={styles.input}
          />
        </search>
        <div className={styles.types}>
          <Tabs
            label={t('types')}
            panel="results"
            current={type}
            onChange={(next) => setSearch({ types: next || undefined })}
            tabs={TYPES.map((id) => ({
              id,
              label: t(id === '' ? 'all' : id),
              count: id === '' ? undefined : told(totals?.[id]),
            }))}
          />
        </div>
        <div id="results" role="tabpanel" aria-busy={found.isFetching}>
          {q === '' && (
            <EmptyState icon={SearchIcon} title={t('start')}>
              {t('startDetail')}
            </EmptyState>
          )}
          {found.error && <ProblemPanel error={found.error} retry={() => void found.refetch()} />}
          {q !== '' && found.isPending && <Skeleton label={t('searching')} rows={6} height={44} />}
          {q !== '' && found.data && results.length === 0 && (
            <EmptyState title={t('none', { q })}>{t('noneDetail')}</EmptyState>
          )}
          {q !== '' && results.length > 0 && (
            <>
              <p className={styles.count} role="status">
                {t(results.length < MOST ? 'found' : 'first', { n: results.length })}{' '}
                {counted.data && counted.data.total > 0 && (
                  <Link to="/o/$slug/items" params={{ slug }} search={{ q }} className="link">
                    {t('allItems', { n: counted.data.total })}
                  </Link>
                )}
              </p>
              <ul>
                {results.map((result) => (
                  <li key={`${result.type}${result.key ?? result.id}`}>
                    <Result slug={slug} result={result} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

/** Arrows lead from the field through the results and back; Enter in the field opens the first. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const field = event.currentTarget.querySelector('input');
  const all = [field, ...event.currentTarget.querySelectorAll<HTMLElement>('#results li a')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0 || isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' && at === 0 && field?.value.trim()) all[1]?.click();
  if (step === undefined) return;
  event.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
}

function Result({ slug, result }: { slug: string; result: SearchResult }) {
  const { glyph, href, hash } = targetOf(slug, result);
  const body = (
    <>
      <span className={styles.glyph}>{glyph}</span>
      <span className={styles.text}>
        <span className={styles.title}>
          {(result.key ?? result.item) && <span className={styles.key}>{result.key ?? result.item}</span>}
          <Marked text={result.title} marks={result.titleHighlights ?? []} />
        </span>
        {result.snippet && (
          <span className={styles.snippet}>
            {result.author && `${t('commentBy', { name: plain(result.author.name) })}: `}
            <Marked text={result.snippet} marks={result.snippetHighlights ?? []} show={unmarked} />
          </span>
        )}
      </span>
      {result.state && <Chip>{plain(result.state)}</Chip>}
      {result.updatedAt && (
        <span className={styles.when}>
          <DateTime at={result.updatedAt} />
        </span>
      )}
    </>
  );
  if (!href) return <div className={styles.row}>{body}</div>;
  return (
    <Link {...address(href)} {...(hash ? { hash } : {})} className={styles.row}>
      {body}
    </Link>
  );
}

interface MarkedProps {
  text: string;
  marks: readonly { start: number; end: number }[];
  /** What is shown of the text between the marks. */
  show?: (part: string) => string;
}

/** The text with what was searched for marked. Places are counted in UTF-16 units. */
function Marked({ text, marks, show = (part) => part }: MarkedProps) {
  const parts: ReactNode[] = [];
  const words = (from: number, to?: number) => show(plain(text.slice(from, to)));
  let at = 0;
  for (const { start, end } of marks) {
    parts.push(words(at, start), <mark key={start}>{plain(text.slice(start, end))}</mark>);
    at = end;
  }
  return (
    <span className={styles.words}>
      {parts}
      {words(at)}
    </span>
  );
}

function targetOf(slug: string, result: SearchResult): { glyph: ReactNode; href?: string; hash?: string } {
  const project = `/o/${slug}/p/${result.project}`;
  switch (result.type) {
    case 'item':
      return {
        glyph: <TypeGlyph type={(result.itemType ?? 'task') as ItemType} />,
        href: `${project}/items/${result.key}`,
      };
    case 'comment':
      return {
        glyph: <Icon of={MessageSquare} />,
        href: `${project}/items/${result.item}`,
        hash: result.id ?? '',
      };
    case 'page':
      return { glyph: <Icon of={BookText} />, href: `${project}/wiki/${encodeURI(result.path ?? '')}` };
    case 'project':
      return { glyph: <Icon of={SquareKanban} />, href: `/o/${slug}/p/${result.key}/board` };
    default:
      return { glyph: <Icon of={UserRound} /> };
  }
}
