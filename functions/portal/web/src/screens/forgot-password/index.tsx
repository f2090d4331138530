import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { t } from '../reset-password/strings';

/** Asks for a link to a new password. The answer is the same whether there is such an account. */
export default function ForgotPassword() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState(false);
  const sending = useSending(async () => {
    await data(http.POST('/api/v1/auth/password/forgot', { body: { email } }));
    setSent(true);
  });
  const foot = (
    <Link to="/sign-in" className="link">
      {t('toSignIn')}
    </Link>
  );
  if (sent)
    return (
      <Outside title={t('sent')} lead={t('sentLead', { email })} foot={foot}>
        {null}
      </Outside>
    );
  return (
    <Outside title={t('forgot')} lead={t('forgotLead')} foot={foot}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          errors={sending.errorsOf('email')}
          onChange={({ target }) => setEmail(target.value)}
        />
        <FormProblem error={sending.error} />
        <Button kind="primary" type="submit" busy={sending.busy}>
          {t('send')}
        </Button>
      </form>
    </Outside>
  );
}
