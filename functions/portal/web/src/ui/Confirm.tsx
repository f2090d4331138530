import { type ReactNode, useState } from 'react';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { TextField } from './Field';
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
  /** What is to be typed first: the name of what is deleted. */
  typed?: string;
  run: () => unknown;
}

/** Asks before what cannot be undone, and has a name typed before what many would miss. */
export function Confirm(props: ConfirmProps) {
  const { open, onClose, title, children, action, danger = true, typed, run } = props;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [text, setText] = useState('');
  const refusal = typed === undefined || text.trim() === typed.trim() ? undefined : t('typeFirst');
  const act = async () => {
    if (busy || refusal) return;
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
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            refusal={refusal}
            onClick={() => void act()}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void act();
          }}
        >
          <TextField
            label={t('typeName', { name: typed })}
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
      )}
      {error !== undefined && <ProblemPanel error={error} />}
    </Dialog>
  );
}
