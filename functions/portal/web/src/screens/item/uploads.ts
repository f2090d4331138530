/** Uploading files to an item: announced, sent, committed. */
import { useState } from 'react';
import { changeHeaders } from '@/api/account';
import { data, http } from '@/api/client';
import type { Attachment } from '@/api/types';
import { attachmentsQuery } from '@/data/items';
import { queries } from '@/store/queries';
import { toastProblem } from '@/ui/toasts';

/** Uploads one file. */
export async function uploadFile(
  slug: string,
  item: string,
  file: File,
  forComment: boolean,
): Promise<Attachment> {
  const body = {
    name: file.name,
    size: file.size,
    contentType: file.type || 'application/octet-stream',
    forComment,
  };
  const { attachment, upload } = await data(
    http.POST('/api/v1/orgs/{slug}/items/{key}/attachments', { params: { path: { slug, key: item } }, body }),
  );
  await sendBytes(upload, file);
  return data(
    http.POST('/api/v1/orgs/{slug}/attachments/{id}/commit', {
      params: { path: { slug, id: attachment.id } },
    }),
  );
}

/** The bytes go where the service says: to itself with the session, or elsewhere without it. */
async function sendBytes(
  upload: { method: string; url: string; headers: { name: string; value: string }[] },
  file: File,
): Promise<void> {
  const own = upload.url.startsWith('/');
  const headers = new Headers(upload.headers.map(({ name, value }) => [name, value]));
  if (own) {
    for (const [name, value] of Object.entries(changeHeaders())) headers.set(name, value);
  }
  const credentials = own ? 'same-origin' : 'omit';
  const response = await fetch(upload.url, { method: upload.method, headers, body: file, credentials });
  if (!response.ok) {
    const { readProblem } = await import('@/api/problem');
    throw await readProblem(response);
  }
}

/** Files on their way, and the Markdown that stands for them afterwards. */
export function useUploads(slug: string, item: string, forComment = false) {
  const [pending, setPending] = useState<string[]>([]);
  const [done, setDone] = useState<Attachment[]>([]);
  const upload = async (files: File[]): Promise<string> => {
    const parts: string[] = [];
    for (const file of files) {
      setPending((names) => [...names, file.name]);
      try {
        const attachment = await uploadFile(slug, item, file, forComment);
        setDone((all) => [...all, attachment]);
        parts.push(markdownOf(attachment));
      } catch (error) {
        toastProblem(error);
      } finally {
        setPending((names) => names.filter((name) => name !== file.name));
      }
    }
    void queries.invalidateQueries({ queryKey: attachmentsQuery(slug, item).queryKey });
    return parts.join('\n');
  };
  return { upload, pending, done, forget: () => setDone([]) };
}

function markdownOf({ name, url, isImage }: Attachment): string {
  const label = name.replace(/[[\]]/g, '');
  return isImage ? `![${label}](${url})` : `[${label}](${url})`;
}
