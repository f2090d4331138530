import { useQuery } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { runnersQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { harnessName } from '@/runs/harnesses';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { ProblemPanel } from '@/ui/states';
import styles from '../factory/factory.module.css';
import { ConnectSteps } from './ConnectSteps';
import { t } from './strings';

type Created = components['schemas']['RunnerSecret'];

/** How often it is looked whether the machine said hello. */
const LOOK = 3_000;

/** Makes a runner: a name, then its secret once with the commands that use it, until the machine is there. */
export function NewRunner({ slug, onClose }: { slug: string; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  return created ? (
    <Connect slug={slug} created={created} onClose={onClose} />
  ) : (
    <Name slug={slug} onCreated={setCreated} onClose={onClose} />
  );
}

function Name({
  slug,
  onCreated,
  onClose,
}: {
  slug: string;
  onCreated: (created: Created) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const created = await data(
      http.POST('/api/v1/orgs/{slug}/runners', { params: { path: { slug } }, body: { name: name.trim() } }),
    );
    await refresh(['runners', slug]);
    onCreated(created);
  });
  return (
    <Dialog open onClose={onClose} title={t('newTitle')}>
      <form className={form.form} onSubmit={onSubmit}>
        <p>{t('newAbout')}</p>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          required
          maxLength={60}
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Connect({ slug, created, onClose }: { slug: string; created: Created; onClose: () => void }) {
  const { data: runners } = useQuery({ ...runnersQuery(slug), refetchInterval: LOOK });
  const { data: projects } = useQuery(projectsQuery(slug));
  const runner = runners?.find((candidate) => candidate.id === created.runner.id);
  const here = runner?.online ?? false;
  const foot = (
    <Button kind={here ? 'primary' : 'secondary'} onClick={onClose}>
      {t(here ? 'done' : 'closeWaiting')}
    </Button>
  );
  return (
    <Dialog
      open
      stays
      wide
      onClose={onClose}
      title={t('connectTitle', { name: plain(created.runner.name) })}
      foot={foot}
    >
      <ConnectSteps
        secret={created.secret}
        project={projects?.find(({ archived }) => !archived)?.key ?? 'PROJECT'}
      />
      <p className={here ? `${styles.waiting} ${styles.here}` : styles.waiting} role="status">
        <Icon of={here ? CircleCheck : LoaderCircle} />
        {here
          ? t('hello', { harnesses: (runner?.harnesses ?? []).map(harnessName).join(', ') || t('noHarness') })
          : t('waiting')}
      </p>
    </Dialog>
  );
}
