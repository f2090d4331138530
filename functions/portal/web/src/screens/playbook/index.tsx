import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Playbook } from '@/api/types';
import { useAccess, useItemAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { Crumb } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { Missing } from '@/app/States';
import { refresh } from '@/data/act';
import { playbookQuery } from '@/data/factory';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { FactoryPage } from '../factory/FactoryPage';
import { PlaybookFields, type PlaybookValues } from '../playbooks/PlaybookFields';
import { t } from '../playbooks/strings';
import { DeletePlaybook } from './DeletePlaybook';
import { Instructions } from './Instructions';
import styles from './playbook.module.css';

/** One playbook: its instructions, and what it settles for runs to come. */
export default function PlaybookScreen() {
  const { slug, playbook: id } = useRouteParams('slug', 'playbook');
  const [{ project = '' }] = useSearchParams();
  const { operate } = useAccess(slug);
  const {
    data: playbook,
    error,
    refetch,
  } = useQuery({ ...playbookQuery(slug, project, id), enabled: operate && project !== '' });
  if (!project || isProblem(error, 'not-found')) return <Missing />;
  return (
    <FactoryPage
      title={playbook ? plain(playbook.name) : t('playbooks')}
      crumbs={
        playbook && (
          <Crumb>
            <Link to="/o/$slug/factory/playbooks" params={{ slug }} search={{ project }}>
              {t('playbooks')}
            </Link>
          </Crumb>
        )
      }
    >
      <div className={styles.page}>
        {error ? (
          <ProblemPanel error={error} retry={() => void refetch()} />
        ) : playbook ? (
          <>
            <Instructions slug={slug} project={project} playbook={playbook} />
            <Settings slug={slug} project={project} playbook={playbook} />
            <DeletePlaybook slug={slug} project={project} playbook={playbook} />
          </>
        ) : (
          <Skeleton label={t('loading')} rows={8} />
        )}
      </div>
    </FactoryPage>
  );
}

function valuesOf(playbook: Playbook): PlaybookValues {
  return {
    harness: playbook.harness,
    timeLimitMinutes: String(playbook.timeLimitMinutes),
    successState: playbook.successState ?? '',
    failureState: playbook.failureState ?? '',
    deliveryMode: playbook.deliveryMode,
    delivers: playbook.delivers ?? 'commit',
    projectDefault: playbook.projectDefault,
  };
}

/** What was changed since these were sent. */
function without(now: Partial<PlaybookValues>, sent: Partial<PlaybookValues>): Partial<PlaybookValues> {
  const newer = Object.entries(now).filter(([field, value]) => value !== sent[field as keyof PlaybookValues]);
  return Object.fromEntries(newer);
}

function Settings({ slug, project, playbook }: { slug: string; project: string; playbook: Playbook }) {
  const { configure, frozen } = useItemAccess(slug, project);
  // Only what was changed here is kept and sent. The rest is what the service says.
  const [changes, setChanges] = useState<Partial<PlaybookValues>>({});
  const values = { ...valuesOf(playbook), ...changes };
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const params = { path: { slug, key: project, id: playbook.id } };
    const { timeLimitMinutes, successState, failureState, ...rest } = changes;
    const body = {
      ...rest,
      version: playbook.version,
      ...(timeLimitMinutes === undefined ? {} : { timeLimitMinutes: Number(timeLimitMinutes) }),
      ...(successState === undefined ? {} : { successState: successState || null }),
      ...(failureState === undefined ? {} : { failureState: failureState || null }),
    };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}', { params, body }));
    await refresh(['playbooks', slug, project]);
    setChanges((now) => without(now, changes));
    toast(t('saved'));
  });
  return (
    <Section title={t('settings')} about={configure ? t('futureRuns') : t('readOnly')}>
      <form className={form.form} onSubmit={onSubmit}>
        <PlaybookFields
          slug={slug}
          project={project}
          values={values}
          change={(next) => setChanges((old) => ({ ...old, ...next }))}
          errorsOf={errorsOf}
          isDefault={playbook.projectDefault}
          disabled={!configure || frozen !== undefined}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        {configure && (
          <div className={form.row}>
            <Button
              type="submit"
              kind="primary"
              busy={busy}
              refusal={frozen}
              disabled={Object.keys(changes).length === 0}
            >
              {t('save')}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}
