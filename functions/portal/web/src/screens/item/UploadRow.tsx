import { RotateCw, X } from 'lucide-react';
import { detailOf, isOffline, problemOf } from '@/api/problem';
import { humanSize } from '@/lib/size';
import { plain } from '@/lib/text';
import { IconButton } from '@/ui/Button';
import styles from './item.module.css';
import { t } from './strings';
import type { Upload } from './uploads';

/** Files on their way, under the text that they are for. */
export function UploadRows({ uploads }: { uploads: readonly Upload[] }) {
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.files}>
      {uploads.map((upload) => (
        <UploadRow key={upload.id} {...upload} />
      ))}
    </ul>
  );
}

/** A file on its way: how far it is. One that did not arrive: why, and what can be done. */
export function UploadRow({ sent, size, error, retry, stop, ...file }: Upload) {
  const name = plain(file.name);
  return (
    <li className={styles.file}>
      <span className={styles.uploadText}>
        <span className="truncate">{name}</span>
        {error === undefined ? (
          <>
            <progress
              className={styles.progress}
              max={Math.max(size, 1)}
              value={sent}
              aria-label={t('uploading', { name })}
            />
            <span className="meta tabular">
              {t('uploaded', { sent: humanSize(Math.min(sent, size)), size: humanSize(size) })}
            </span>
          </>
        ) : (
          <span className={styles.uploadFailed} role="alert">
            {t('notUploaded', { why: sentence(error) })}
          </span>
        )}
      </span>
      {error !== undefined && (
        <IconButton icon={RotateCw} size="small" label={t('uploadAgain', { name })} onClick={retry} />
      )}
      <IconButton
        icon={X}
        size="small"
        label={t(error === undefined ? 'stopUpload' : 'dropUpload', { name })}
        onClick={stop}
      />
    </li>
  );
}

function sentence(error: unknown): string {
  const problem = problemOf(error);
  if (isOffline(error)) return problem.title;
  // The service counts its limits in bytes.
  const detail = detailOf(problem).replace(/\b(\d{4,}) bytes\b/g, (_, bytes) => humanSize(Number(bytes)));
  return `${problem.title} ${detail}`.trim();
}
