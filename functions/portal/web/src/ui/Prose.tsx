import { useLayoutEffect, useRef } from 'react';
import { cx } from '@/lib/class-names';
import { linkedId } from '@/lib/linked';
import { showMentions } from '@/lib/mentioned';
import { showRendered } from '@/lib/trusted';
import styles from './Prose.module.css';

interface ProseProps {
  /** HTML that the service rendered; without it the text is shown as it was written. */
  html: string | null | undefined;
  text?: string;
  small?: boolean;
  className?: string | undefined;
  /** Whom the text can mention: other marks are plain text. Without, every mark is shown as a mention. */
  names?: readonly string[] | undefined;
  /** Ticks the box of a task, or empties it; without, boxes only show how it is. */
  onTask?: ((number: number, done: boolean) => void) | undefined;
}

/** A text that people wrote in Markdown, as the service renders it. */
export function Prose({ html, text, small, className, names, onTask }: ProseProps) {
  const element = useRef<HTMLDivElement>(null);
  const led = useRef('');
  useLayoutEffect(() => {
    if (element.current && html !== null && html !== undefined) {
      showRendered(element.current, html);
      open(element.current);
      led.current = lead(element.current, led.current);
    }
  }, [html]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new marks
  useLayoutEffect(() => {
    if (element.current && names) showMentions(element.current, names);
  }, [html, names]);
  const ticking = useRef(onTask);
  ticking.current = onTask;
  const mayTick = onTask !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new boxes
  useLayoutEffect(() => {
    for (const box of element.current?.querySelectorAll<HTMLInputElement>('input[data-task]') ?? []) {
      box.disabled = !mayTick;
      box.onchange = () => ticking.current?.(Number(box.dataset.task), box.checked);
    }
  }, [html, mayTick]);
  const classes = cx(styles.prose, small && styles.small, className);
  if (html === null || html === undefined) return <div className={cx(classes, styles.plain)}>{text}</div>;
  return <div ref={element} className={classes} dir="auto" />;
}

/**
 * Leads to the section that the address names, which the browser looked for before the text was there. Once: a text that
 * is drawn anew while it is read stays where it is.
 */
function lead(root: HTMLElement, before: string): string {
  const id = linkedId();
  if (!id || id === before) return before;
  const section = root.querySelector(`#${CSS.escape(id)}`);
  section?.scrollIntoView({ block: 'start' });
  return section ? id : before;
}

/** Links to other places open beside the app; wide tables scroll; images have the width that is written; boxes of task lists are named by their task. */
function open(root: HTMLElement): void {
  for (const link of root.querySelectorAll('a[href]')) {
    if (link instanceof HTMLAnchorElement && link.origin !== location.origin) {
      link.target = '_blank';
      link.rel = 'noreferrer noopener';
    }
  }
  for (const box of root.querySelectorAll('li input[type=checkbox]'))
    box.setAttribute('aria-label', box.closest('li')?.textContent?.trim() ?? '');
  for (const image of root.querySelectorAll('img')) {
    // A width is written after what the image shows: `![a screen|320](…)`.
    const [, shows, width] = /^(.*)\|(\d{2,4})$/s.exec(image.alt) ?? [];
    if (width) Object.assign(image, { alt: shows, width: Number(width) });
  }
  for (const block of root.querySelectorAll('pre, table')) block.setAttribute('tabindex', '0');
}
