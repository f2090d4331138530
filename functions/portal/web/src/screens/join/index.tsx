import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Me } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { begin, endSession } from '@/app/session';
import { meQuery } from '@/data/me';
import { plain } from '@/lib/text';
import { queries } from '@/store/queries';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { ProviderButton, SignInForm } from '../sign-in/SignInForm';
import { t } from './strings';

/** An invitation's link: into what, by whom, as what. The secret stays behind the `#`, where no server log sees it. */
export default function Join() {
  const [secret] = useState(() => location.hash.slice(1));
  const invitation = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => data(http.POST('/api/v1/auth/invitations/look', { body: { secret } })),
    enabled: secret !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // A link that was passed on by hand does not say whether the address has an account.
  const [signsIn, setSignsIn] = useState(false);
  const me = useQuery({ ...meQuery, retry: false, enabled: secret !== '' });
  if (!secret) return <Sentence title={t('noSecret')} lead={t('noSecretLead')} />;
  if (invitation.error && !isProblem(invitation.error, 'offline', 'rate-limited'))
    return <Sentence title={t('gone')} lead={t('goneLead')} />;
  if (invitation.error) return <Failed error={invitation.error} retry={() => void invitation.refetch()} />;
  if (!invitation.data || me.isPending) {
    return (
      <Outside title={t('loading')}>
        <Skeleton label={t('loading')} rows={4} />
      </Outside>
    );
  }
  const { organization, invitedBy, email, preset, hasAccount } = invitation.data;
  const values = { organization: plain(organization), by: plain(invitedBy), email };
  return (
    <Outside title={t('title', values)} lead={t('lead', values)}>
      <p>{t('as', { preset, name: preset })}</p>
      {me.data ? (
        <JoinAs me={me.data} invited={email} secret={secret} />
      ) : hasAccount || signsIn ? (
        <>
          {hasAccount && <p>{t('haveAccount')}</p>}
          <SignInForm email={email} returnTo="/" invitation={secret} onDone={() => void me.refetch()} />
        </>
      ) : (
        <>
          <NewAccount secret={secret} email={email} />
          <Button kind="ghost" onClick={() => setSignsIn(true)}>
            {t('signIn')}
          </Button>
        </>
      )}
    </Outside>
  );
}

function Sentence({ title, lead }: { title: string; lead: string }) {
  return (
    <Outside title={title} lead={lead}>
      <Link to="/" className="link">
        {t('home')}
      </Link>
    </Outside>
  );
}

function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Outside title={t('loading')}>
      <ProblemPanel error={error} retry={retry} />
    </Outside>
  );
}

function useJoin(secret: string, body: { displayName?: string; password?: string } = {}) {
  const navigate = useNavigate();
  return useSending(async () => {
    const { organization } = await data(
      http.POST('/api/v1/auth/invitations/accept', { body: { secret, ...body } }),
    );
    await begin(await queries.fetchQuery({ ...meQuery, staleTime: 0 }));
    await navigate({ to: '/o/$slug/p', params: { slug: organization.slug }, replace: true });
  });
}

function JoinAs({ me, invited, secret }: { me: Me; invited: string; secret: string }) {
  const joining = useJoin(secret);
  const leave = useSending(async () => {
    await endSession();
    location.reload();
  });
  if (me.email && me.email.toLowerCase() !== invited.toLowerCase()) {
    return (
      <>
        <p>{t('wrongAccount', { email: me.email, invited })}</p>
        <Button busy={leave.busy} onClick={leave.onSubmit}>
          {t('signOut')}
        </Button>
      </>
    );
  }
  return (
    <form className={form.form} onSubmit={joining.onSubmit}>
      <FormProblem error={joining.error} />
      <Button kind="primary" type="submit" busy={joining.busy}>
        {t('join')}
      </Button>
    </form>
  );
}

function NewAccount({ secret, email }: { secret: string; email: string }) {
  const [displayName, setName] = useState('');
  const [password, setPassword] = useState('');
  const joining = useJoin(secret, { displayName, password });
  return (
    <form className={form.form} onSubmit={joining.onSubmit}>
      <ProviderButton returnTo="/" invitation={secret} />
      <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
      <TextField
        label={t('name')}
        autoComplete="name"
        required
        autoFocus
        value={displayName}
        errors={joining.errorsOf('displayName')}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint={t('passwordHint')}
        value={password}
        errors={joining.errorsOf('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
      <FormProblem error={joining.error} />
      <Button kind="primary" type="submit" busy={joining.busy}>
        {t('create')}
      </Button>
    </form>
  );
}
