import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Me } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { begin } from '@/app/session';
import { setupQuery } from '@/data/setup';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { t } from './strings';

interface SignInFormProps {
  /** The address that it begins with. */
  email?: string | undefined;
  /** Only the account of that address can sign in here. */
  fixed?: boolean;
  /** Path to come back to from the identity provider, or after another account than the last one signed in. */
  returnTo: string;
  onDone: (me: Me) => void;
  /** Secret of an invitation to accept on the way through the provider. */
  invitation?: string;
}

/** Password and identity provider: on the page, over an ended session, and on an invitation. */
export function SignInForm({
  email: known = '',
  fixed = false,
  returnTo,
  onDone,
  invitation,
}: SignInFormProps) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const sending = useSending(async () => {
    const me = await data(http.POST('/api/v1/auth/login', { body: { email, password } }));
    await begin(me, returnTo);
    onDone(me);
  });
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <ProviderButton returnTo={returnTo} {...(invitation ? { invitation } : {})} />
      <TextField
        label={t('email')}
        type="email"
        name="email"
        autoComplete="username"
        required
        readOnly={fixed}
        autoFocus={!known}
        value={email}
        errors={sending.errorsOf('email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={t('password')}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus={known !== ''}
        value={password}
        errors={sending.errorsOf('password')}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormProblem error={sending.error} />
      <Button kind="primary" type="submit" busy={sending.busy} className={form.wide ?? ''}>
        {t('signIn')}
      </Button>
      <Link to="/forgot-password" className="link" style={{ justifySelf: 'center' }}>
        {t('forgot')}
      </Link>
    </form>
  );
}

/** Signs in with the identity provider, where the instance has one. */
export function ProviderButton({ returnTo, invitation }: { returnTo: string; invitation?: string }) {
  const { data: setup } = useQuery(setupQuery);
  const sending = useSending(async () => {
    const body = { returnTo, ...(invitation ? { invitation } : {}) };
    const { address } = await data(http.POST('/api/v1/auth/oidc/start', { body }));
    location.assign(address);
  });
  if (!setup?.provider) return null;
  return (
    <>
      <Button busy={sending.busy} onClick={sending.onSubmit} className={form.wide ?? ''}>
        {t('provider', { name: setup.provider })}
      </Button>
      <FormProblem error={sending.error} />
      <div className={form.or}>{t('or')}</div>
    </>
  );
}
