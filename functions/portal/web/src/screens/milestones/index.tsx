import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Flag, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Milestone } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { changeMilestone, deleteMilestone, milestonesQuery } from '@/data/milestones';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { progressFacts } from '@/progress/ProgressBar';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { MilestoneForm } from './MilestoneForm';
import styles from './milestones.module.css';
import { t } from './strings';

type Asked = { edit: Milestone } | { remove: Milestone } | 'new' | undefined;

/** The goals of a project, how far their items are, and by when they should be done. */
export default function Milestones() {
  const { slug, project } = useRouteParams('slug', 'project');
  const { write, frozen } = useItemAccess(slug, project);
  const { data, error, refetch } = useQuery(milestonesQuery(slug, project));
  const [asked, ask] = useState<Asked>();
  const create = () => ask('new');
  const close = () => ask(undefined);
  useCommands(
    write ? [{ id: 'milestone.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  const button = write && (
    <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
      {t('new')}
    </Button>
  );
  const groups = (['open', 'closed'] as const).map((state) => ({
    state,
    of: (data ?? []).filter((milestone) => (milestone.state === 'closed') === (state === 'closed')),
  }));
  return (
    <Page title={t('milestones')} actions={button}>
      {frozen && <Banner kind="locked">{frozen}</Banner>}
      {error && !data ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={4} height={40} />
        </div>
      ) : data.length === 0 ? (
        <EmptyState
          icon={Flag}
          title={t('none')}
          action={write && !frozen ? { label: t('new'), run: create } : undefined}
        >
          {t('noneHint')}
        </EmptyState>
      ) : (
        groups
          .filter(({ of }) => of.length > 0)
          .map(({ state, of }) => (
            <Section key={state} title={t(state)} flush>
              <Rows label={t(state)}>
                {of.map((milestone) => (
                  <MilestoneRow
                    key={milestone.id}
                    slug={slug}
                    project={project}
                    milestone={milestone}
                    refusal={frozen}
                    {...(write ? { ask } : {})}
                  />
                ))}
              </Rows>
            </Section>
          ))
      )}
      {asked === 'new' && <MilestoneForm slug={slug} project={project} onClose={close} />}
      {asked && asked !== 'new' && 'edit' in asked && (
        <MilestoneForm slug={slug} project={project} milestone={asked.edit} onClose={close} />
      )}
      {asked && asked !== 'new' && 'remove' in asked && (
        <Remove slug={slug} project={project} milestone={asked.remove} onClose={close} />
      )}
    </Page>
  );
}

interface MilestoneRowProps {
  slug: string;
  project: string;
  milestone: Milestone;
  refusal: string | undefined;
  /** Only for who may change it. */
  ask?: (asked: Asked) => void;
}

function MilestoneRow({ slug, project, milestone, refusal, ask }: MilestoneRowProps) {
  const { due, description, state } = milestone;
  const { items, active, resolved, closed } = milestone.progress;
  const name = plain(milestone.name);
  const over = state === 'closed';
  const turn = () =>
    void act(
      () => changeMilestone(slug, project, milestone, { state: over ? 'open' : 'closed' }),
      ['milestones', slug, project],
    );
  return (
    <Row
      glyph={<Icon of={Flag} />}
      title={name}
      dimmed={over}
      href={`/o/${slug}/p/${project}/milestones/${milestone.id}`}
      detail={description ? plain(description) : undefined}
      facts={[
        due ? t('due', { day: dayOf(`${due}T00:00`) }) : t('noDue'),
        ...progressFacts({ active, done: resolved + closed, all: items }),
      ]}
      actions={
        ask && (
          <Menu
            align="end"
            entries={() => [
              { label: t('change'), refusal, run: () => ask({ edit: milestone }) },
              { label: t(over ? 'reopen' : 'close'), refusal, run: turn },
              { label: t('delete'), danger: true, refusal, run: () => ask({ remove: milestone }) },
            ]}
            trigger={(props) => (
              <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
            )}
          />
        )
      }
    />
  );
}

interface RemoveProps {
  slug: string;
  project: string;
  milestone: Milestone;
  onClose: () => void;
}

function Remove({ slug, project, milestone, onClose }: RemoveProps) {
  const run = async () => {
    await deleteMilestone(slug, project, milestone);
    await refresh(['milestones', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(milestone.name) })}
      action={t('delete')}
      run={run}
    >
      <p>{t('deleteDetail')}</p>
    </Confirm>
  );
}
