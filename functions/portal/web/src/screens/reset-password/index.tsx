import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { t } from './strings';

/** A new password by a link from a mail. The secret stays behind the `#`. */
export default function ResetPassword() {
  const [secret] = useState(() => location.hash.slice(1));
  const [newPassword, setPassword] = useState('');
  const [done, setDone] = useState(false);
  const sending = useSending(async () => {
    await data(http.POST('/api/v1/auth/password/reset', { body: { secret, newPassword } }));
    setDone(true);
  });
  const again = (
    <Link to="/forgot-password" className="link">
      {t('again')}
    </Link>
  );
  if (!secret)
    return (
      <Outside title={t('noSecret')} lead={t('noSecretLead')}>
        {again}
      </Outside>
    );
  if (done) {
    return (
      <Outside title={t('done')} lead={t('doneLead')}>
        <Link to="/sign-in" className="link">
          {t('signIn')}
        </Link>
      </Outside>
    );
  }
  return (
    <Outside title={t('title')} lead={t('lead')} foot={again}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('password')}
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          autoFocus
          hint={t('hint')}
          value={newPassword}
          errors={sending.errorsOf('newPassword')}
          onChange={({ target }) => setPassword(target.value)}
        />
        <FormProblem
          error={
            sending.error ?? (sending.errorsOf('secret') && new Error(sending.errorsOf('secret')?.join(' ')))
          }
        />
        <Button kind="primary" type="submit" busy={sending.busy}>
          {t('save')}
        </Button>
      </form>
    </Outside>
  );
}
