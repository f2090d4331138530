/** Uploading files to an item: announced, sent, committed. A file that did not arrive is kept on the page to go again. */
import { useRef, useState } from 'react';
import { changeHeaders } from '@/api/account';
import { data, http } from '@/api/client';
import { offline, readProblem } from '@/api/problem';
import type { Attachment } from '@/api/types';
import { attachmentsQuery } from '@/data/items';
import { queries } from '@/store/queries';

/** A file on its way, or one that did not arrive. */
export interface Upload {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  sent: number;
  /** Why it did not arrive. */
  error: unknown;
  /** Sends it once more. */
  retry: () => void;
  /** Gives it up, on its way or not. */
  stop: () => void;
}

interface Sending {
  signal: AbortSignal;
  onSent: (bytes: number) => void;
}

/** Uploads one file. */
async function uploadFile(
  slug: string,
  item: string,
  file: File,
  forComment: boolean,
  sending: Sending,
): Promise<Attachment> {
  const { signal } = sending;
  const body = {
    name: file.name,
    size: file.size,
    contentType: file.type || 'application/octet-stream',
    forComment,
  };
  const params = { path: { slug, key: item } };
  const { attachment, upload } = await data(
    http.POST('/api/v1/orgs/{slug}/items/{key}/attachments', { params, body, signal }),
  );
  await sendBytes(upload, file, sending);
  return data(
    http.POST('/api/v1/orgs/{slug}/attachments/{id}/commit', {
      params: { path: { slug, id: attachment.id } },
      signal,
    }),
  );
}

interface Target {
  method: string;
  url: string;
  headers: { name: string; value: string }[];
}

/**
 * The bytes go where the service says: to itself with the session, or elsewhere without it. `fetch` does not tell how many
 * are sent, so this is the one request that is made without it.
 */
function sendBytes({ method, url, headers }: Target, file: File, { signal, onSent }: Sending): Promise<void> {
  const own = url.startsWith('/') ? Object.entries(changeHeaders()) : [];
  const allowed = new Request(new URL(url, location.href), {
    method,
    headers: [...headers.map(({ name, value }): [string, string] => [name, value]), ...own],
  }).headers;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of allowed) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve();
      else void readProblem(new Response(responseText, { status })).then(reject);
    };
    request.onerror = () => reject(offline());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** Files on their way, one after the other, and the Markdown that stands for each afterwards. */
export function useUploads(slug: string, item: string, forComment = false) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [done, setDone] = useState<Attachment[]>([]);
  const turn = useRef(Promise.resolve());

  /** Answers the Markdown of a file once it is there, or nothing once it was given up. */
  const upload = (file: File): Promise<string> =>
    new Promise((resolve) => {
      const id = crypto.randomUUID();
      const stopping = new AbortController();
      const { signal } = stopping;
      const show = (change: Partial<Upload>) =>
        setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...change } : one)));
      const end = (text: string) => {
        setUploads((all) => all.filter((one) => one.id !== id));
        resolve(text);
      };
      const send = async () => {
        if (signal.aborted) return;
        try {
          const onSent = (sent: number) => show({ sent });
          const attachment = await uploadFile(slug, item, file, forComment, { signal, onSent });
          setDone((all) => [...all, attachment]);
          end(markdownOf(attachment));
          void queries.invalidateQueries({ queryKey: attachmentsQuery(slug, item).queryKey });
        } catch (error) {
          if (!signal.aborted) show({ error });
        }
      };
      const begin = () => {
        show({ sent: 0, error: undefined });
        turn.current = turn.current.then(send);
      };
      const stop = () => {
        stopping.abort();
        end('');
      };
      const { name, size } = file;
      setUploads((all) => [...all, { id, name, size, sent: 0, error: undefined, retry: begin, stop }]);
      begin();
    });
  return { upload, uploads, done, forget: () => setDone([]) };
}

function markdownOf({ name, url, isImage }: Attachment): string {
  const label = name.replace(/[[\]]/g, '');
  return isImage ? `![${label}](${url})` : `[${label}](${url})`;
}
