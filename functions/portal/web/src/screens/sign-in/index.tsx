import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Outside, ToldProblem } from '@/app/Outside';
import { told } from '@/lib/told';
import { SignInForm } from './SignInForm';
import { t } from './strings';

/** Sign-in; leads back to where the person was going. */
export default function SignIn() {
  const { to, email, problem } = useSearch({ from: '/outside/sign-in' });
  const [why] = useState(told);
  const router = useRouter();
  const target = ownPath(to);
  return (
    <Outside title={t('title')}>
      {problem && <ToldProblem told={why} otherwise={t('again')} />}
      <SignInForm
        email={email}
        returnTo={target}
        onDone={() => void router.navigate({ href: target, replace: true })}
      />
    </Outside>
  );
}

/** A path of this app: never another host's address. */
function ownPath(to: string | undefined): string {
  return to && /^\/(?![/\\])/.test(to) ? to : '/';
}
