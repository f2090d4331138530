import { useEffect, useState } from 'react';
import styles from '../MarkdownEditor.module.css';
import { Prose } from '../Prose';
import { Skeleton } from '../Skeleton';
import { ProblemPanel } from '../states';
import { t } from '../strings';

interface PreviewProps {
  text: string;
  render: (text: string) => Promise<string>;
  names: readonly string[] | undefined;
}

/** A text as others will see it. */
export default function Preview({ text, render, names }: PreviewProps) {
  const [html, setHtml] = useState<string>();
  const [error, setError] = useState<unknown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same text is not rendered again for a new function
  useEffect(() => {
    let gone = false;
    render(text).then(
      (rendered) => !gone && setHtml(rendered),
      (problem) => !gone && setError(problem),
    );
    return () => {
      gone = true;
    };
  }, [text]);
  return (
    <section aria-label={t('preview')} className={styles.preview}>
      {error !== undefined ? (
        <ProblemPanel error={error} />
      ) : html === undefined ? (
        <Skeleton label={t('loading')} rows={3} />
      ) : (
        <Prose html={html} names={names} />
      )}
    </section>
  );
}
