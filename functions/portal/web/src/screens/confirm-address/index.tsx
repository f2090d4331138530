import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { refresh } from '@/data/act';
import { Button } from '@/ui/Button';
import { t } from './strings';

/** Confirms a new address by the link from a mail. A press, not the visit, confirms: mail programs visit links too. */
export default function ConfirmAddress() {
  const [secret] = useState(() => location.hash.slice(1));
  const [done, setDone] = useState(false);
  const sending = useSending(async () => {
    await data(http.POST('/api/v1/auth/email/confirm', { body: { secret } }));
    await refresh(['me']);
    setDone(true);
  });
  const home = (
    <Link to="/" className="link">
      {t('home')}
    </Link>
  );
  if (!secret) {
    return (
      <Outside title={t('noSecret')} lead={t('noSecretLead')}>
        {home}
      </Outside>
    );
  }
  if (done) {
    return (
      <Outside title={t('done')} lead={t('doneLead')}>
        {home}
      </Outside>
    );
  }
  const wrong = sending.errorsOf('secret');
  return (
    <Outside title={t('title')} lead={t('lead')} foot={home}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <FormProblem error={sending.error ?? (wrong && new Error(wrong.join(' ')))} />
        <Button kind="primary" type="submit" busy={sending.busy}>
          {t('confirm')}
        </Button>
      </form>
    </Outside>
  );
}
