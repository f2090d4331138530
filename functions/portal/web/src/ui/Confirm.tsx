import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { ProblemPanel } from './states';
import { t } from './strings';

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  danger?: boolean;
  run: () => unknown;
}

/** Asks before what cannot be undone. */
export function Confirm({ open, onClose, title, children, action, danger = true, run }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await run();
      onClose();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void act()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && <ProblemPanel error={error} />}
    </Dialog>
  );
}
