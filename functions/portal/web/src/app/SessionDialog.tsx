import { useMe } from '@/data/me';
import { SignInForm } from '@/screens/sign-in/SignInForm';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { forgetEverything } from './session';
import { t } from './strings';

/** Over the page when the session ended: the page and what was written in it stay. */
export default function SessionDialog() {
  const me = useMe();
  const other = async () => {
    await forgetEverything();
    location.assign('/sign-in');
  };
  return (
    <Dialog open stays onClose={() => {}} title={t('sessionEnded')} description={t('sessionEndedDetail')}>
      <p style={{ marginBlockEnd: 'var(--s-12)', color: 'var(--text-2)' }}>{t('sessionEndedDetail')}</p>
      <SignInForm
        email={me.email ?? ''}
        fixed={Boolean(me.email)}
        returnTo={location.pathname + location.search}
        onDone={() => {}}
      />
      <div style={{ display: 'grid', justifyItems: 'center', marginBlockStart: 'var(--s-8)' }}>
        <Button kind="ghost" size="small" onClick={() => void other()}>
          {t('otherAccount')}
        </Button>
      </div>
    </Dialog>
  );
}
