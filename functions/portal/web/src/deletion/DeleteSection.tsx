import { type ReactNode, useState } from 'react';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Section } from '@/ui/Section';
import { t } from './strings';

interface DeleteSectionProps {
  title: string;
  /** What happens to it at once. */
  about: string;
  /** What is deleted, as people named it. */
  name: string;
  /** What has to be typed first. */
  typed: string;
  /** Why it cannot be deleted now. */
  frozen?: string | undefined;
  /** Deletes it, leads out of its pages, and says how it comes back. */
  run: () => Promise<unknown>;
  /** What the dialog says in paragraphs. */
  children: ReactNode;
}

/** The part of a settings page that deletes its subject, after something was typed. */
export function DeleteSection(props: DeleteSectionProps) {
  const { title, about, name, typed, frozen, run, children } = props;
  const [asked, ask] = useState(false);
  return (
    <Section title={title} about={`${about} ${t('restorable')}`} danger>
      <div>
        <Button kind="danger" refusal={frozen} onClick={() => ask(true)}>
          {t('deleteEntry')}
        </Button>
      </div>
      <Confirm
        open={asked}
        onClose={() => ask(false)}
        title={t('deleteTitle', { name: plain(name) })}
        action={t('delete')}
        typed={typed}
        run={run}
      >
        {children}
      </Confirm>
    </Section>
  );
}
