import { Archive, Bot, Copy, Ellipsis, Inbox, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { setTheme, type Theme, useTheme } from '@/app/theme';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Chip, Keys, LabelChip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { CopyField, SecretOnce } from '@/ui/CopyField';
import { DateTime } from '@/ui/DateTime';
import { Dialog, Sheet } from '@/ui/Dialog';
import { CheckField, SelectField, TextArea, TextField } from '@/ui/Field';
import {
  PRIORITY_ORDER,
  PriorityGlyph,
  priorityName,
  StateGlyph,
  TYPE_ORDER,
  TypeGlyph,
  typeName,
} from '@/ui/glyphs';
import { Listbox } from '@/ui/Listbox';
import { Menu } from '@/ui/Menu';
import { Popover } from '@/ui/Popover';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { Toasts } from '@/ui/Toasts';
import { Tooltip } from '@/ui/Tooltip';
import { toast } from '@/ui/toasts';
import styles from './gallery.module.css';

const KINDS = ['primary', 'secondary', 'ghost', 'danger', 'agent'] as const;
const GROUPS = ['backlog', 'active', 'resolved', 'closed'] as const;
const TONES = ['neutral', 'accent', 'agent', 'ok', 'warn', 'bad'] as const;

/** Every component in one place, in development builds only. */
export default function Gallery() {
  const theme = useTheme();
  return (
    <main className={styles.gallery}>
      <h1 className={styles.title}>Gallery</h1>
      <div className={styles.line}>
        {(['system', 'light', 'dark'] as Theme[]).map((choice) => (
          <Button
            key={choice}
            kind={theme === choice ? 'primary' : 'secondary'}
            onClick={() => setTheme(choice)}
          >
            {choice}
          </Button>
        ))}
      </div>
      <Shown name="Button">
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind}>
            {kind}
          </Button>
        ))}
        <Button icon={Plus} kind="primary">
          With icon
        </Button>
        <Button size="small">Small</Button>
        <Button refusal="The project is archived.">Refused</Button>
        <Button busy>Busy</Button>
        <IconButton icon={Copy} label="Copy" keys="mod+c" />
      </Shown>
      <Shown name="Chip, Keys, Avatar, DateTime">
        {TONES.map((tone) => (
          <Chip key={tone} tone={tone}>
            {tone}
          </Chip>
        ))}
        <LabelChip name="greeting" color="#d97706" />
        <Keys keys="mod+k" />
        <Avatar name="Ada Lovelace" />
        <Avatar name="Builder" agent />
        <Avatar name="Grace Hopper" size={32} />
        <DateTime at={new Date(Date.now() - 3_600_000).toISOString()} />
      </Shown>
      <Shown name="Glyphs">
        {GROUPS.map((group) => (
          <span key={group} className={styles.line}>
            <StateGlyph group={group} /> {group}
          </span>
        ))}
        {TYPE_ORDER.map((type) => (
          <span key={type} className={styles.line}>
            <TypeGlyph type={type} /> {typeName(type)}
          </span>
        ))}
        {PRIORITY_ORDER.map((priority) => (
          <span key={priority} className={styles.line}>
            <PriorityGlyph priority={priority} /> {priorityName(priority)}
          </span>
        ))}
      </Shown>
      <Popups />
      <Fields />
      <Shown name="CopyField, SecretOnce">
        <CopyField label="Command" value="svc runner register --url https://svc.example.com" />
        <SecretOnce label="Secret" value="jrn_0123456789abcdef" />
      </Shown>
      <Shown name="States">
        <Banner kind="locked">This project is archived.</Banner>
        <Banner kind="offline">Offline, 3 changes waiting</Banner>
        <EmptyState
          icon={Inbox}
          title="No items yet."
          action={{ label: 'Create item', keys: 'c', run: () => {} }}
        />
        <ProblemPanel error={new Error('The thread was lost.')} retry={() => {}} />
        <Skeleton label="Loading" rows={3} />
      </Shown>
      <Toasts />
      <Tooltip />
    </main>
  );
}

function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.name}>{name}</h2>
      <div className={styles.line}>{children}</div>
    </section>
  );
}

function Popups() {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'confirm'>();
  const close = () => setOpen(undefined);
  return (
    <Shown name="Menu, Popover, Listbox, Dialog, Sheet, Toast">
      <Menu
        trigger={(props) => <Button {...props}>Menu</Button>}
        entries={() => [
          { heading: 'Item' },
          { label: 'Archive', icon: Archive, keys: 'e' },
          { label: 'More', icon: Ellipsis, entries: [{ label: 'Nested' }] },
          { label: 'Refused', refusal: 'The workflow has no such move.' },
          '-',
          { label: 'Delete', icon: Trash2, danger: true },
        ]}
      />
      <Popover trigger={(props) => <Button {...props}>Popover</Button>} label="Choose a state">
        {() => (
          <Listbox
            label="State"
            options={GROUPS.map((group) => ({
              id: group,
              label: group,
              glyph: <StateGlyph group={group} />,
            }))}
            onChoose={() => {}}
          />
        )}
      </Popover>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('sheet')}>Sheet</Button>
      <Button onClick={() => setOpen('confirm')}>Confirm</Button>
      <Button
        icon={Bot}
        onClick={() => toast('DEMO-7 moved to In review', { action: { label: 'Undo', run: () => {} } })}
      >
        Toast
      </Button>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="A dialog"
        foot={<Button kind="primary">Save</Button>}
      >
        <TextField label="Name" />
      </Dialog>
      <Sheet open={open === 'sheet'} onClose={close} title="A sheet">
        <EmptyState title="At the side" action={{ label: 'Close', run: close }} />
      </Sheet>
      <Confirm
        open={open === 'confirm'}
        onClose={close}
        title="Delete the runner?"
        action="Delete"
        run={() => {}}
      >
        Its secret stops working at once.
      </Confirm>
    </Shown>
  );
}

function Fields() {
  return (
    <Shown name="Fields">
      <TextField label="Name" hint="Shown to others." defaultValue="Ada" />
      <TextField label="Key" errors={['2 to 10 upper-case letters and digits.']} defaultValue="x" />
      <SelectField label="Role">
        <option>Member</option>
        <option>Guest</option>
      </SelectField>
      <TextArea label="Description" />
      <CheckField label="Can start AI work" hint="Runs cost money." />
    </Shown>
  );
}
