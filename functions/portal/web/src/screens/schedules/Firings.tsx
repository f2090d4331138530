import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash } from 'lucide-react';
import type { Schedule, ScheduleFiring } from '@/api/types';
import { scheduleFiringsQuery } from '@/data/schedules';
import { plain, withoutIds } from '@/lib/text';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Awaited } from '../factory/Awaited';
import { inZone } from './rhythm';
import { t } from './strings';

interface FiringsProps {
  slug: string;
  project: string;
  schedule: Schedule;
  onHide: () => void;
}

/** What a schedule did, newest first: the item and the run that it made, or why it made none. */
export function Firings({ slug, project, schedule, onHide }: FiringsProps) {
  const found = useQuery(scheduleFiringsQuery(slug, project, schedule.id));
  const title = t('firingsOf', { name: plain(schedule.name) });
  const hide = (
    <Button size="small" onClick={onHide}>
      {t('hide')}
    </Button>
  );
  return (
    <Section title={title} actions={hide} flush>
      <Awaited
        query={found}
        rows={3}
        height={40}
        none={t('noFirings')}
        isEmpty={(firings) => firings.length === 0}
      >
        {(firings) => (
          <Rows label={title}>
            {firings.map((firing) => (
              <FiringRow
                key={`${firing.at} ${firing.run}`}
                slug={slug}
                project={project}
                zone={schedule.timeZone}
                firing={firing}
              />
            ))}
          </Rows>
        )}
      </Awaited>
    </Section>
  );
}

interface FiringRowProps {
  slug: string;
  project: string;
  zone: string;
  firing: ScheduleFiring;
}

function FiringRow({ slug, project, zone, firing }: FiringRowProps) {
  const { item, run, at, firedBy, missedSince } = firing;
  const href = run
    ? `/o/${slug}/factory/runs/${run}`
    : item
      ? `/o/${slug}/p/${project}/items/${item}`
      : undefined;
  const detail = [
    firedBy && t('byHand', { name: plain(firedBy.name) }),
    missedSince && t('missed', { at: inZone(missedSince, zone) }),
  ].filter(Boolean);
  return (
    <Row
      glyph={<Icon of={run ? CircleCheck : CircleSlash} />}
      title={
        item && run
          ? t('started', { item })
          : t('skipped', { reason: withoutIds(plain(firing.skippedReason ?? '')) })
      }
      href={href}
      detail={detail.length > 0 && detail.join(' · ')}
      facts={[inZone(at, zone), <DateTime key="at" at={at} />]}
    />
  );
}
