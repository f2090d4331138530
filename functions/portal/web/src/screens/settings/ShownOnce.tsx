import form from '@/app/form.module.css';
import { Button } from '@/ui/Button';
import { SecretOnce } from '@/ui/CopyField';
import { Dialog } from '@/ui/Dialog';

interface ShownOnceProps {
  title: string;
  label: string;
  value: string;
  /** What to do with it. */
  next: string;
  done: string;
  onClose: () => void;
}

/** A secret that is shown only now. */
export function ShownOnce({ title, label, value, next, done, onClose }: ShownOnceProps) {
  return (
    <Dialog open stays onClose={onClose} title={title} foot={<Button onClick={onClose}>{done}</Button>}>
      <div className={form.form}>
        <SecretOnce label={label} value={value} />
        <p>{next}</p>
      </div>
    </Dialog>
  );
}
