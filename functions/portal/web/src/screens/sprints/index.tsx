import { useQuery } from '@tanstack/react-query';
import { IterationCcw, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Sprint } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { sprintsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { progressFacts } from '@/progress/ProgressBar';
import { Button } from '@/ui/Button';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { SprintForm } from './SprintForm';
import { SprintState } from './SprintState';
import { span } from './span';
import styles from './sprints.module.css';
import { t } from './strings';

/** The sprints of a project by team: what runs, what is planned, what was done. */
export default function Sprints() {
  const { slug, project } = useRouteParams('slug', 'project');
  const { write, frozen } = useItemAccess(slug, project);
  const { data, error, refetch } = useQuery(sprintsQuery(slug, project));
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useCommands(
    write ? [{ id: 'sprint.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  const button = write && (
    <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('sprints')} actions={button}>
      {frozen && <Banner kind="locked">{frozen}</Banner>}
      {error && !data ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={6} height={40} />
        </div>
      ) : data.items.length === 0 ? (
        <EmptyState
          icon={IterationCcw}
          title={t('none')}
          action={write && !frozen ? { label: t('new'), run: create } : undefined}
        >
          {t('noneHint')}
        </EmptyState>
      ) : (
        <ByTeam slug={slug} project={project} sprints={data.items} />
      )}
      {creating && <SprintForm slug={slug} project={project} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ByTeam({ slug, project, sprints }: { slug: string; project: string; sprints: readonly Sprint[] }) {
  const teams = [...new Map(sprints.map((sprint) => [sprint.team.id, sprint.team])).values()];
  return teams.map((team) => (
    <Section key={team.id} title={plain(team.name)} flush>
      <Rows label={plain(team.name)}>
        {sprints
          .filter((sprint) => sprint.team.id === team.id)
          .map((sprint) => (
            <Row
              key={sprint.id}
              title={plain(sprint.name)}
              href={`/o/${slug}/p/${project}/sprints/${sprint.id}/${sprint.state === 'planned' ? 'plan' : sprint.state === 'active' ? 'taskboard' : 'burndown'}`}
              tags={<SprintState sprint={sprint} />}
              detail={sprint.goal ? plain(sprint.goal) : undefined}
              dimmed={sprint.state === 'completed'}
              facts={[
                span(sprint),
                ...progressFacts({
                  done: sprint.work.items - sprint.work.unfinished,
                  all: sprint.work.items,
                }),
              ]}
            />
          ))}
      </Rows>
    </Section>
  ));
}
