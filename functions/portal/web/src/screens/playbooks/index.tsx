import { useQuery } from '@tanstack/react-query';
import { BookMarked, Plus } from 'lucide-react';
import { useState } from 'react';
import { isProblem } from '@/api/problem';
import type { Playbook } from '@/api/types';
import { useAccess, useItemAccess } from '@/app/access';
import { useRouteParams, useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { deletedPlaybooksQuery, playbooksQuery } from '@/data/factory';
import { Deleted } from '@/deletion/Deleted';
import { t as deletion } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { harnessName } from '@/runs/harnesses';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../factory/factory.module.css';
import { ProjectChoice, useProjectChoice } from '../factory/ProjectChoice';
import { NewPlaybook } from './NewPlaybook';
import { restore } from './restore';
import { t } from './strings';

/** The playbooks of a project: instructions, harness, limits and where results go. */
export default function Playbooks() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const choice = useProjectChoice(slug, search.project, operate);
  const { project } = choice;
  const { configure, frozen } = useItemAccess(slug, project);
  const [creating, setCreating] = useState(false);
  const { data: known } = useQuery({
    ...playbooksQuery(slug, project ?? ''),
    enabled: project !== undefined,
  });
  const create = () => setCreating(true);
  const may = project !== undefined && configure;
  useCommands(
    may ? [{ id: 'playbook.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  const button = may && (
    <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
      {t('new')}
    </Button>
  );
  return (
    <FactoryPage title={t('playbooks')} actions={button}>
      <ProjectChoice
        choice={choice}
        onChoose={(next) => change({ project: next })}
        none={<EmptyState icon={BookMarked} title={t('noProject')} />}
      >
        {(key) => (
          <>
            <List slug={slug} project={key} create={configure && !frozen ? create : undefined} />
            {configure && <DeletedPlaybooks slug={slug} project={key} frozen={frozen} />}
          </>
        )}
      </ProjectChoice>
      {creating && project && (
        <NewPlaybook
          slug={slug}
          project={project}
          first={known?.length === 0}
          onClose={() => setCreating(false)}
        />
      )}
    </FactoryPage>
  );
}

function List({
  slug,
  project,
  create,
}: {
  slug: string;
  project: string;
  create: (() => void) | undefined;
}) {
  const { data: playbooks, error, refetch } = useQuery(playbooksQuery(slug, project));
  if (error)
    return (
      <ProblemPanel error={error} retry={isProblem(error, 'forbidden') ? undefined : () => void refetch()} />
    );
  if (!playbooks) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={4} height={48} />
      </div>
    );
  }
  if (playbooks.length === 0) {
    return (
      <EmptyState icon={BookMarked} title={t('none')} action={create && { label: t('new'), run: create }}>
        {t('noneHint')}
      </EmptyState>
    );
  }
  return (
    <Rows label={t('playbooks')}>
      {playbooks.map((playbook) => (
        <PlaybookRow key={playbook.id} slug={slug} project={project} playbook={playbook} />
      ))}
    </Rows>
  );
}

function PlaybookRow({ slug, project, playbook }: { slug: string; project: string; playbook: Playbook }) {
  const direct = playbook.deliveryMode === 'pushToDefaultBranch';
  return (
    <Row
      glyph={<Icon of={BookMarked} />}
      title={plain(playbook.name)}
      href={`/o/${slug}/factory/playbooks/${playbook.id}?project=${project}`}
      tags={
        <>
          {playbook.projectDefault && <Chip tone="accent">{t('default')}</Chip>}
          {direct && <Chip tone="bad">{t('direct')}</Chip>}
        </>
      }
      detail={
        playbook.successState || playbook.failureState
          ? t('moves', {
              success: playbook.successState ?? t('nowhere'),
              failure: playbook.failureState ?? t('nowhere'),
            })
          : t('movesNothing')
      }
      facts={[harnessName(playbook.harness), t('minutes', { n: playbook.timeLimitMinutes })]}
    />
  );
}

interface DeletedPlaybooksProps {
  slug: string;
  project: string;
  frozen: string | undefined;
}

function DeletedPlaybooks({ slug, project, frozen }: DeletedPlaybooksProps) {
  const { data: deleted } = useQuery(deletedPlaybooksQuery(slug, project));
  return (
    <Deleted
      title={deletion('playbooks')}
      icon={BookMarked}
      things={deleted}
      frozen={frozen}
      restore={(playbook) => restore(slug, project, playbook)}
    />
  );
}
