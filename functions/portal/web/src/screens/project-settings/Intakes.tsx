import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Inbox, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import {
  changeIntake,
  deleteIntake,
  type Intake,
  type IntakeWithAddress,
  intakesQuery,
  rotateIntake,
} from '@/data/intakes';
import { plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { useLeading } from '../settings/leading';
import { ShownOnce } from '../settings/ShownOnce';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { IntakeForm } from './IntakeForm';
import { t } from './intake-strings';
import type { OfProject } from './section';

type Asked =
  | { what: 'new' }
  | { what: 'edit' | 'rotate' | 'disable' | 'delete'; intake: Intake }
  | { what: 'made' | 'rotated'; made: IntakeWithAddress };

/** Addresses at which monitoring and forms make items. */
export default function Intakes({ slug, project, frozen }: OfProject) {
  const { data: intakes, error, refetch } = useQuery(intakesQuery(slug, project));
  const [asked, ask] = useState<Asked>();
  const create = () => ask({ what: 'new' });
  useCommands([{ id: 'intake.new', title: t('create'), group: 'general', refusal: frozen, run: create }]);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!intakes) return <Skeleton label={common('loading')} rows={3} height={44} />;
  return (
    <Section
      title={t('intakes')}
      about={t('about')}
      actions={
        <Button size="small" kind="primary" icon={Plus} refusal={frozen} onClick={create}>
          {t('create')}
        </Button>
      }
    >
      <div className={styles.card}>
        {intakes.length === 0 && <p className={styles.empty}>{t('none')}</p>}
        <Rows label={t('intakes')}>
          {intakes.map((intake) => (
            <Row
              key={intake.id}
              glyph={<Icon of={Inbox} size={14} />}
              title={plain(intake.name)}
              dimmed={intake.disabled}
              tags={intake.disabled && <Chip tone="bad">{t('disabled')}</Chip>}
              detail={[
                t('savedBy', { name: plain(intake.savedBy.name) }),
                ...(intake.closesResolved ? [t('closes')] : []),
              ].join(' · ')}
              actions={
                <Menu
                  align="end"
                  entries={() => entries(slug, project, intake, ask, frozen)}
                  trigger={(props) => (
                    <IconButton
                      {...props}
                      icon={Ellipsis}
                      size="small"
                      label={t('more', { name: plain(intake.name) })}
                    />
                  )}
                />
              }
            />
          ))}
        </Rows>
      </div>
      {asked && <Asking slug={slug} project={project} asked={asked} ask={ask} />}
    </Section>
  );
}

function entries(
  slug: string,
  project: string,
  intake: Intake,
  ask: (asked: Asked) => void,
  refusal: string | undefined,
): MenuEntries {
  const { queryKey } = intakesQuery(slug, project);
  const enable = () => void act(() => changeIntake(slug, project, intake, { disabled: false }), queryKey);
  return [
    { label: t('edit'), refusal, run: () => ask({ what: 'edit', intake }) },
    { label: t('rotate'), refusal, run: () => ask({ what: 'rotate', intake }) },
    '-',
    intake.disabled
      ? { label: t('enable'), refusal, run: enable }
      : { label: t('disable'), refusal, danger: true, run: () => ask({ what: 'disable', intake }) },
    { label: t('remove'), refusal, danger: true, run: () => ask({ what: 'delete', intake }) },
  ];
}

function Asking({
  slug,
  project,
  asked,
  ask,
}: {
  slug: string;
  project: string;
  asked: Asked;
  ask: (asked: Asked | undefined) => void;
}) {
  const { lead, close } = useLeading(ask);
  if ('made' in asked)
    return (
      <ShownOnce
        title={t(asked.what, { name: plain(asked.made.intake.name) })}
        label={t('address')}
        value={asked.made.url}
        next={t('next')}
        done={t('done')}
        onClose={() => ask(undefined)}
      />
    );
  if (asked.what === 'new' || asked.what === 'edit')
    return (
      <IntakeForm
        slug={slug}
        project={project}
        intake={asked.what === 'edit' ? asked.intake : undefined}
        onMade={(made) => lead({ what: 'made', made })}
        onClose={close}
      />
    );
  const { intake } = asked;
  const doing = {
    rotate: async () => {
      lead({ what: 'rotated', made: await rotateIntake(slug, project, intake.id) });
    },
    disable: () => changeIntake(slug, project, intake, { disabled: true }),
    delete: () => deleteIntake(slug, project, intake.id),
  }[asked.what];
  return (
    <Confirm
      open
      onClose={close}
      title={t(`${asked.what}Title`, { name: plain(intake.name) })}
      action={t(asked.what === 'delete' ? 'remove' : asked.what)}
      danger={asked.what !== 'rotate'}
      run={async () => {
        await doing();
        await refresh(intakesQuery(slug, project).queryKey);
      }}
    >
      <p>{t(`${asked.what}Detail`)}</p>
    </Confirm>
  );
}
