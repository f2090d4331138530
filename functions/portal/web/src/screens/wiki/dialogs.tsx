/** What is asked for when a page is made, moved or deleted. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import type { WikiEntry } from '@/data/wiki';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { sendMove, writePage } from './changes';
import type { OfPage } from './page';
import { t } from './strings';
import { cleanPath, nameOf, parentOf } from './tree';

interface NewPageProps {
  slug: string;
  project: string;
  /** The page that is open: the new one is offered below it. */
  below: string;
  /** The name to begin with. */
  named: string;
  onClose: () => void;
  go: (path: string) => void;
}

export function NewPage({ slug, project, below, named, onClose, go }: NewPageProps) {
  const [name, setName] = useState(named);
  const [under, setUnder] = useState(below);
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const path = cleanPath(`${under}/${name}`);
    const page = await writePage(slug, project, path, '');
    onClose();
    go(page.path);
  });
  return (
    <Dialog open onClose={onClose} title={t('new')}>
      <form className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          hint={t('levels')}
          required
          value={name}
          errors={errorsOf('path')}
          onChange={(event) => setName(event.target.value)}
        />
        {below && (
          <SelectField label={t('under')} value={under} onChange={(event) => setUnder(event.target.value)}>
            <option value={below}>{plain(below)}</option>
            {parentOf(below) && <option value={parentOf(below)}>{plain(parentOf(below))}</option>}
            <option value="">{t('top')}</option>
          </SelectField>
        )}
        {error !== undefined && <ProblemPanel error={error} />}
        <Foot busy={busy} label={t('create')} onClose={onClose} />
      </form>
    </Dialog>
  );
}

interface MovePageProps extends OfPage {
  entries: readonly WikiEntry[];
  onClose: () => void;
  go: (path: string) => void;
}

export function MovePageDialog({ slug, project, page, entries, onClose, go }: MovePageProps) {
  const [name, setName] = useState(nameOf(page.path));
  const [under, setUnder] = useState(parentOf(page.path));
  const places = entries.filter(
    (entry) => entry.path !== page.path && !entry.path.startsWith(`${page.path}/`),
  );
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const to = cleanPath(`${under}/${name}`);
    const moved = await sendMove(slug, project, page.path, to, page.version);
    onClose();
    go(moved.path);
    await refresh(['wiki', slug, project]);
  });
  return (
    <Dialog open onClose={onClose} title={t('moveTitle', { name: plain(page.title) })}>
      <form className={form.form} onSubmit={onSubmit}>
        <p>{t('moveAbout')}</p>
        <SelectField label={t('under')} value={under} onChange={(event) => setUnder(event.target.value)}>
          <option value="">{t('top')}</option>
          {places.map((entry) => (
            <option key={entry.path} value={entry.path}>
              {plain(entry.path).replaceAll('/', ' / ')}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('name')}
          hint={t('levels')}
          required
          value={name}
          errors={errorsOf('to')}
          onChange={(event) => setName(event.target.value)}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <Foot busy={busy} label={t('move')} onClose={onClose} />
      </form>
    </Dialog>
  );
}

export function DeletePage({
  slug,
  project,
  page,
  below,
  onClose,
}: OfPage & { below: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const run = async () => {
    const params = { path: { slug, key: project, path: page.path } };
    await data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/wiki/pages/{path}', { params }));
    await navigate({ to: '/o/$slug/p/$project/wiki', params: { slug, project } });
    await refresh(['wiki', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(page.title) })}
      action={t('delete')}
      run={run}
    >
      <p>{t(below ? 'deleteBelow' : 'deleteDetail')}</p>
    </Confirm>
  );
}

function Foot({ busy, label, onClose }: { busy: boolean; label: string; onClose: () => void }) {
  return (
    <div className={`${form.row} ${form.end}`}>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button type="submit" kind="primary" busy={busy}>
        {label}
      </Button>
    </div>
  );
}
