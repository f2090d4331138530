import {
  ChevronDown,
  ChevronUp,
  Clock,
  Download,
  FoldVertical,
  OctagonAlert,
  Regex,
  Search,
  WrapText,
} from 'lucide-react';
import type { RefObject } from 'react';
import { cx } from '@/lib/class-names';
import { isComposing } from '@/lib/composing';
import { IconButton } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { download } from './download';
import type { Line, Query, Stream } from './lines';
import styles from './log.module.css';
import { t } from './strings';

interface LogBarProps {
  field: RefObject<HTMLInputElement | null>;
  query: Query;
  onQuery: (query: Query) => void;
  hits: number;
  current: number;
  wrong: string | undefined;
  step: (by: number) => void;
  nextError: () => void;
  stream: Stream | undefined;
  onStream: (stream: Stream | undefined) => void;
  time: boolean;
  onTime: (on: boolean) => void;
  wrap: boolean;
  onWrap: (on: boolean) => void;
  folds: boolean;
  onFolds: () => void;
  lines: readonly Line[];
  /** Whether these are all. */
  complete: boolean;
  name: string;
}

const STREAMS: Stream[] = ['stdout', 'stderr', 'event'];

/** Find, streams, and how lines are shown. */
export function LogBar(props: LogBarProps) {
  const { stream, onStream, time, onTime, wrap, onWrap, folds, onFolds } = props;
  const { lines, complete, name, nextError } = props;
  return (
    <div className={styles.bar}>
      <Find {...props} />
      <select
        aria-label={t('streams')}
        className={styles.select}
        value={stream ?? ''}
        onChange={(event) => onStream((event.target.value || undefined) as Stream | undefined)}
      >
        <option value="">{t('allStreams')}</option>
        {STREAMS.map((one) => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </select>
      <span className={styles.tools}>
        <IconButton icon={OctagonAlert} size="small" label={t('nextError')} keys="e" onClick={nextError} />
        <IconButton
          icon={FoldVertical}
          size="small"
          label={t('fold')}
          keys="f"
          aria-pressed={folds}
          onClick={onFolds}
        />
        <IconButton
          icon={Clock}
          size="small"
          label={t('times')}
          keys="t"
          aria-pressed={time}
          onClick={() => onTime(!time)}
        />
        <IconButton
          icon={WrapText}
          size="small"
          label={t('wrap')}
          keys="w"
          aria-pressed={wrap}
          onClick={() => onWrap(!wrap)}
        />
        <IconButton
          icon={Download}
          size="small"
          label={t('download')}
          refusal={complete ? undefined : t('loading')}
          onClick={() => download(lines, name)}
        />
      </span>
    </div>
  );
}

function Find({ field, query, onQuery, hits, current, wrong, step }: LogBarProps) {
  return (
    <div className={cx(styles.find, wrong !== undefined && styles.wrong)}>
      <Icon of={Search} size={14} />
      <input
        ref={field}
        type="text"
        aria-label={t('find')}
        aria-invalid={wrong !== undefined || undefined}
        placeholder={t('findPlaceholder')}
        spellCheck={false}
        value={query.text}
        onChange={(event) => onQuery({ ...query, text: event.target.value })}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Enter') {
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') {
            if (query.text) onQuery({ ...query, text: '' });
            else field.current?.blur();
          }
        }}
      />
      <span className={styles.count} role="status">
        {wrong ??
          (query.text
            ? current >= 0
              ? t('hitOf', { at: current + 1, n: hits })
              : t('hits', { n: hits })
            : '')}
      </span>
      {query.text && (
        <>
          <IconButton
            icon={ChevronUp}
            size="small"
            label={t('previous')}
            keys="shift+n"
            onClick={() => step(-1)}
          />
          <IconButton icon={ChevronDown} size="small" label={t('next')} keys="n" onClick={() => step(1)} />
        </>
      )}
      <IconButton
        icon={Regex}
        size="small"
        label={t('regex')}
        aria-pressed={query.regex}
        onClick={() => onQuery({ ...query, regex: !query.regex })}
      />
    </div>
  );
}
