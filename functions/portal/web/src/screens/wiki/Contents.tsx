import { useMemo } from 'react';
import { useWide } from '@/lib/media';
import { t } from './strings';
import styles from './wiki.module.css';

interface Heading {
  level: number;
  text: string;
}

/** The headings of a rendered page. Read from a document of its own, in which nothing runs and nothing is loaded. */
function headingsOf(html: string): Heading[] {
  const headings: Heading[] = [];
  for (const match of html.matchAll(/<h([1-3])[^>]*>([\s\S]*?)<\/h\1>/g)) {
    const text = (match[2] ?? '')
      .replace(/<[^>]*>/g, '')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
    if (text.trim()) headings.push({ level: Number(match[1]), text: text.trim() });
  }
  return headings;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** What is on the page, for pages with three headings or more: beside it, or folded above where there is no room. */
export function Contents({ html }: { html: string }) {
  const headings = useMemo(() => headingsOf(html), [html]);
  const wide = useWide();
  if (headings.length < 3) return null;
  const show = (at: number) => {
    const all = document.querySelectorAll<HTMLElement>(`.${styles.prose} :is(h1, h2, h3)`);
    const heading = [...all].filter((element) => element.textContent?.trim())[at];
    heading?.scrollIntoView({ block: 'start' });
  };
  const outline = (
    <ul>
      {headings.map((heading, at) => (
        <li key={`${at} ${heading.text}`} data-level={heading.level}>
          <button type="button" className="truncate" onClick={() => show(at)}>
            {heading.text}
          </button>
        </li>
      ))}
    </ul>
  );
  return (
    <nav className={styles.contents} aria-label={t('contents')}>
      {wide ? (
        <>
          <p className="meta">{t('contents')}</p>
          {outline}
        </>
      ) : (
        <details>
          <summary className="meta">{t('contents')}</summary>
          {outline}
        </details>
      )}
    </nav>
  );
}
