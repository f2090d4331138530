import type { LucideIcon } from 'lucide-react';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { Deletion } from '@/api/types';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { t } from './strings';

interface Thing {
  id: string;
  name: string;
  deletion?: Deletion;
}

interface DeletedProps<One extends Thing> {
  title: string;
  icon: LucideIcon;
  things: readonly One[] | undefined;
  frozen: string | undefined;
  restore: (thing: One) => Promise<unknown>;
  /** Who restores it, where that is not the viewer. */
  restorers?: (thing: One) => string | undefined;
}

/** What was deleted and can be restored: by whom, and until when. Where there is nothing, nothing is shown. */
export function Deleted<One extends Thing>(props: DeletedProps<One>) {
  const { title, icon, things, frozen, restore, restorers } = props;
  const [busy, setBusy] = useState<string>();
  if (!things || things.length === 0) return null;
  const bring = async (thing: One) => {
    setBusy(thing.id);
    await restore(thing);
    setBusy(undefined);
  };
  return (
    <Section title={title} flush>
      <Rows label={title}>
        {things.map((thing) => {
          const others = restorers?.(thing);
          const by = thing.deletion && t('deletedBy', { name: plain(thing.deletion.by.name) });
          return (
            <Row
              key={thing.id}
              dimmed
              glyph={<Icon of={icon} />}
              title={plain(thing.name)}
              detail={others ? `${by}. ${others}` : by}
              facts={
                thing.deletion
                  ? [
                      <DateTime key="at" at={thing.deletion.at} />,
                      t('until', { day: dayOf(thing.deletion.restorableUntil) }),
                    ]
                  : []
              }
              actions={
                !others && (
                  <Button
                    size="small"
                    icon={Undo2}
                    busy={busy === thing.id}
                    refusal={frozen}
                    aria-label={t('restoreOne', { name: plain(thing.name) })}
                    onClick={() => void bring(thing)}
                  >
                    {t('restore')}
                  </Button>
                )
              }
            />
          );
        })}
      </Rows>
    </Section>
  );
}
