import { type ChangeEvent, useRef, useState } from 'react';
import { changeHeaders } from '@/api/account';
import { data, http } from '@/api/client';
import { ProblemError, readProblem } from '@/api/problem';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { act, refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { CheckField, TextField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { Banner, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { t } from './strings';

/** Name, picture, address and password. */
export default function Profile() {
  const me = useMe();
  return (
    <>
      <Picture />
      <Names key={me.version} />
      <Password />
    </>
  );
}

/** Most bytes of a picture that the service takes. */
const MOST = 5 * 1024 * 1024;

function Picture() {
  const me = useMe();
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    setBusy(true);
    setError(undefined);
    await send(file).catch(setError);
    await refresh(['me']);
    setBusy(false);
  };
  const remove = () => void act(() => data(http.DELETE('/api/v1/me/avatar')), ['me']);
  return (
    <Section title={t('picture')} about={t('pictureAbout')}>
      <div className={styles.picture}>
        <Avatar name={me.displayName} picture={me.avatarKey} size={48} decorative />
        <input
          ref={field}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          hidden
          onChange={(event) => void upload(event)}
        />
        <Button busy={busy} onClick={() => field.current?.click()}>
          {t('choosePicture')}
        </Button>
        {me.avatarKey && <Button onClick={remove}>{t('removePicture')}</Button>}
      </div>
      {error !== undefined && <ProblemPanel error={error} />}
    </Section>
  );
}

/** Sent as it is: the typed client knows only JSON. */
async function send(file: File): Promise<void> {
  if (file.size > MOST) {
    throw new ProblemError({
      type: 'too-large',
      title: t('tooLarge'),
      status: 413,
      traceId: '',
      errors: {},
    } as never);
  }
  const headers = { ...changeHeaders(), 'Content-Type': file.type || 'application/octet-stream' };
  const response = await fetch('/api/v1/me/avatar', { method: 'PUT', headers, body: file });
  if (!response.ok) throw await readProblem(response);
}

function Names() {
  const me = useMe();
  const { values, change, changed } = useValues({
    displayName: me.displayName,
    email: me.email ?? '',
    currentPassword: '',
  });
  const moves = values.email.trim() !== (me.email ?? '');
  const sending = useSending(async () => {
    const { displayName, email, currentPassword } = values;
    const body = {
      version: me.version ?? 0,
      displayName: displayName.trim(),
      ...(moves ? { email: email.trim(), currentPassword: currentPassword || null } : {}),
    };
    await data(http.PATCH('/api/v1/me', { body }));
    await refresh(['me']);
    toast(common('saved'));
  });
  return (
    <Section title={t('nameAndAddress')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        {me.newEmail && <Banner kind="info">{t('newEmail', { email: me.newEmail })}</Banner>}
        <TextField
          label={t('displayName')}
          required
          autoComplete="name"
          value={values.displayName}
          errors={sending.errorsOf('displayName')}
          onChange={(event) => change({ displayName: event.target.value })}
        />
        <TextField
          label={t('email')}
          type="email"
          required
          autoComplete="email"
          value={values.email}
          errors={sending.errorsOf('email')}
          onChange={(event) => change({ email: event.target.value })}
        />
        {moves && (
          <TextField
            label={t('currentPassword')}
            hint={t('passwordForEmail')}
            type="password"
            autoComplete="current-password"
            value={values.currentPassword}
            errors={sending.errorsOf('currentPassword')}
            onChange={(event) => change({ currentPassword: event.target.value })}
          />
        )}
        <SaveRow sending={sending} changed={changed} />
      </form>
    </Section>
  );
}

function Password() {
  const me = useMe();
  const [attempt, setAttempt] = useState(0);
  return <PasswordForm key={attempt} email={me.email ?? ''} onDone={() => setAttempt(attempt + 1)} />;
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { values, change, changed } = useValues({
    currentPassword: '',
    newPassword: '',
    keepTokens: false,
  });
  const sending = useSending(async () => {
    await data(
      http.POST('/api/v1/auth/password', {
        body: {
          newPassword: values.newPassword,
          currentPassword: values.currentPassword || null,
          keepTokens: values.keepTokens,
        },
      }),
    );
    await Promise.all([refresh(['sessions']), refresh(['tokens'])]);
    toast(t('passwordChanged'));
    onDone();
  });
  return (
    <Section title={t('password')} about={t('passwordAbout')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label={t('currentPassword')}
          type="password"
          autoComplete="current-password"
          value={values.currentPassword}
          errors={sending.errorsOf('currentPassword')}
          onChange={(event) => change({ currentPassword: event.target.value })}
        />
        <TextField
          label={t('newPassword')}
          type="password"
          required
          autoComplete="new-password"
          value={values.newPassword}
          errors={sending.errorsOf('newPassword')}
          onChange={(event) => change({ newPassword: event.target.value })}
        />
        <CheckField
          label={t('keepTokens')}
          hint={t('keepTokensHint')}
          checked={values.keepTokens}
          onChange={(event) => change({ keepTokens: event.target.checked })}
        />
        <SaveRow
          sending={sending}
          changed={changed && values.newPassword !== ''}
          label={t('changePassword')}
        />
      </form>
    </Section>
  );
}
