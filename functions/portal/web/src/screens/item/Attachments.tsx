import { useQuery } from '@tanstack/react-query';
import { File, Paperclip, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { data, http } from '@/api/client';
import type { Attachment } from '@/api/types';
import { useCommands } from '@/commands/registry';
import { attachmentsQuery } from '@/data/items';
import { humanSize } from '@/lib/size';
import { plain } from '@/lib/text';
import { queries } from '@/store/queries';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import type { ItemContext } from './context';
import styles from './item.module.css';
import { t } from './strings';
import { UploadRow } from './UploadRow';
import { useUploads } from './uploads';

/** Files of the item itself. Those of comments are shown with their comments. */
export function Attachments({ slug, card, access, frozen }: ItemContext) {
  const { data: page } = useQuery(attachmentsQuery(slug, card.key));
  const input = useRef<HTMLInputElement>(null);
  const { upload, uploads } = useUploads(slug, card.key);
  const [removing, setRemoving] = useState<Attachment>();
  const files = (page?.items ?? []).filter((attachment) => attachment.committed && !attachment.comment);
  const editable = access.write && frozen === undefined;
  const remove = async () => {
    if (!removing) return;
    await data(
      http.DELETE('/api/v1/orgs/{slug}/attachments/{id}', { params: { path: { slug, id: removing.id } } }),
    );
    await queries.invalidateQueries({ queryKey: attachmentsQuery(slug, card.key).queryKey });
  };
  const choose = () => input.current?.click();
  useCommands(editable ? [{ id: 'item.attach', title: t('attach'), group: 'item', run: choose }] : []);
  if (files.length === 0 && uploads.length === 0 && !editable) return null;
  return (
    <section
      className={styles.section}
      aria-label={t('attachments')}
      data-empty={(files.length === 0 && uploads.length === 0) || undefined}
    >
      <header className={styles.sectionHead}>
        <h2 className={styles.sectionTitle}>{t('attachments')}</h2>
        {files.length > 0 && <span className="meta">{files.length}</span>}
        {editable && (
          <>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              onChange={({ target }) => {
                for (const file of target.files ?? []) void upload(file);
                // The same file can be chosen again.
                target.value = '';
              }}
            />
            <Button size="small" kind="ghost" icon={Paperclip} className={styles.push ?? ''} onClick={choose}>
              {t('attach')}
            </Button>
          </>
        )}
      </header>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.id} className={styles.file}>
            <FileLink file={file} />
            {file.canDelete && frozen === undefined && (
              <IconButton
                icon={X}
                size="small"
                label={t('remove', { name: plain(file.name) })}
                onClick={() => setRemoving(file)}
              />
            )}
          </li>
        ))}
        {uploads.map((one) => (
          <UploadRow key={one.id} {...one} />
        ))}
      </ul>
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t('removeTitle', { name: plain(removing?.name ?? '') })}
        action={t('delete')}
        run={remove}
      >
        {t('removeDetail')}
      </Confirm>
    </section>
  );
}

/** A file as a link; images are shown in a frame of their size. */
export function FileLink({ file }: { file: Attachment }) {
  const name = plain(file.name);
  return (
    <a
      href={file.url}
      className={styles.fileLink}
      download={file.isImage ? undefined : name}
      target={file.isImage ? '_blank' : undefined}
      rel="noreferrer"
    >
      {file.isImage ? (
        <img src={file.url} alt="" loading="lazy" width={40} height={40} className={styles.thumb} />
      ) : (
        <span className={styles.thumb}>
          <Icon of={File} size={20} />
        </span>
      )}
      <span className={styles.fileText}>
        <span className="truncate">{name}</span>
        <span className="meta">{humanSize(file.size)}</span>
      </span>
    </a>
  );
}
