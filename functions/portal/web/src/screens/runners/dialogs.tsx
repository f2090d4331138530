/** What is asked before a runner is changed: each names what stops. */
import { useRef, useState } from 'react';
import { data, http } from '@/api/client';
import type { Runner } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { CopyField, SecretOnce } from '@/ui/CopyField';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { platformHere, registerCommand } from './commands';
import { t } from './strings';

interface AboutRunner {
  slug: string;
  runner: Runner;
  /** Runs that it works on now. */
  load: number;
  onClose: () => void;
}

export function RenameRunner({ slug, runner, onClose }: AboutRunner) {
  const [name, setName] = useState(runner.name);
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    await update(slug, runner, { name: name.trim() });
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t('renameTitle', { name: plain(runner.name) })}>
      <form className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          required
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function RotateRunner({ slug, runner, load, onClose }: AboutRunner) {
  const [secret, setSecret] = useState<string>();
  // The question closes itself when it is answered; then the secret is shown in its place.
  const answered = useRef(false);
  const params = { path: { slug, id: runner.id } };
  if (secret !== undefined) {
    return (
      <Dialog
        open
        stays
        onClose={onClose}
        title={t('rotated', { name: plain(runner.name) })}
        foot={<Button onClick={onClose}>{t('done')}</Button>}
      >
        <div className={form.form}>
          <SecretOnce label={t('secret')} value={secret} />
          <p>{t('rotatedNext')}</p>
          <CopyField label={t('register')} value={registerCommand(secret, platformHere())} lines />
        </div>
      </Dialog>
    );
  }
  const run = async () => {
    const answer = await data(http.POST('/api/v1/orgs/{slug}/runners/{id}/rotate', { params }));
    await refresh(['runners', slug]);
    answered.current = true;
    setSecret(answer.secret);
  };
  return (
    <Confirm
      open
      onClose={() => answered.current || onClose()}
      title={t('rotateTitle', { name: plain(runner.name) })}
      action={t('rotate')}
      run={run}
    >
      <p>{t('rotateDetail', { n: load })}</p>
    </Confirm>
  );
}

export function DisableRunner({ slug, runner, load, onClose }: AboutRunner) {
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('disableTitle', { name: plain(runner.name) })}
      action={t('disable')}
      run={() => update(slug, runner, { disabled: true })}
    >
      <p>{t('disableDetail', { n: load })}</p>
    </Confirm>
  );
}

export function DeleteRunner({ slug, runner, load, onClose }: AboutRunner) {
  const params = { path: { slug, id: runner.id } };
  const run = async () => {
    await data(http.DELETE('/api/v1/orgs/{slug}/runners/{id}', { params }));
    await refresh(['runners', slug]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(runner.name) })}
      action={t('delete')}
      run={run}
    >
      <p>{t('deleteDetail', { n: load })}</p>
    </Confirm>
  );
}

async function update(
  slug: string,
  runner: Runner,
  body: { name?: string; disabled?: boolean },
): Promise<void> {
  const params = { path: { slug, id: runner.id } };
  await data(
    http.PATCH('/api/v1/orgs/{slug}/runners/{id}', { params, body: { version: runner.version, ...body } }),
  );
  await refresh(['runners', slug]);
}
