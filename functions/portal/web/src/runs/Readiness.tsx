import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { data, http } from '@/api/client';
import { useAccess, useItemAccess } from '@/app/access';
import { refresh } from '@/data/act';
import { projectQuery, workflowQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { toastProblem } from '@/ui/toasts';
import styles from './Readiness.module.css';
import { type Factory, harnessHere, type Missing, reviewState, STEPS, type Step } from './readiness';
import { t } from './readiness-strings';

interface ReadinessProps {
  slug: string;
  factory: Factory;
  missing: readonly Missing[];
  /** Puts it away for who does not want it now. */
  onHide?: (() => void) | undefined;
}

/** What is to be done until an agent can work in a project, each step with its button. */
export default function Readiness({ slug, factory, missing, onHide }: ReadinessProps) {
  const id = useId();
  const { data: project } = useQuery(projectQuery(slug, factory.project));
  const first = missing[0]?.step;
  return (
    <section className={styles.readiness} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h3 id={id} className={styles.title}>
            {t('title', { project: plain(project?.name ?? factory.project) })}
          </h3>
          <p className={styles.about}>
            {t('about', { done: STEPS.length - missing.length, of: STEPS.length })}
          </p>
        </div>
        {onHide && (
          <Button size="small" kind="ghost" onClick={onHide}>
            {t('hide')}
          </Button>
        )}
      </header>
      <ol className={styles.steps}>
        {STEPS.map((step, at) => {
          const open = missing.find((one) => one.step === step);
          return (
            <li key={step} className={cx(styles.step, !open && styles.done)}>
              <span className={styles.mark} aria-hidden>
                {open ? at + 1 : <Icon of={Check} size={14} />}
              </span>
              <div className={styles.words}>
                <p className={styles.name}>
                  {t(step)}
                  {!open && <span className="visually-hidden"> · {t('done')}</span>}
                </p>
                {open && <p className={styles.about}>{aboutOf(open, factory)}</p>}
              </div>
              {open && <StepActions slug={slug} factory={factory} open={open} first={step === first} />}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function aboutOf({ step, candidate }: Missing, { project, runners }: Factory): string {
  if (step === 'runner' && runners.some(({ disabled }) => !disabled)) return t('runnerWaits');
  if (step === 'agent' && candidate) return t('agentDefault');
  if (step === 'playbook' && candidate) return t('playbookDefault');
  return t(`${step}About`, { project });
}

interface StepProps {
  slug: string;
  factory: Factory;
  open: Missing;
  first: boolean;
}

/** The buttons of a step for the people who may do it: what is usual in one press, and the page for the rest. */
function StepActions({ slug, factory, open: { step, candidate }, first }: StepProps) {
  const { project } = factory;
  const navigate = useNavigate();
  const { administer } = useAccess(slug);
  const { configure, frozen } = useItemAccess(slug, project);
  const { busy, send } = useOnce();
  const usual = useUsual(slug, factory);
  const to = (path: string, command?: string) => () =>
    void navigate({ ...address(`/o/${slug}/${path}`), ...(command && { state: { command } }) });
  const press = (label: string, onClick: () => void, kind: 'primary' | 'secondary' | 'ghost') => (
    <Button size="small" kind={kind} refusal={frozen} busy={busy} onClick={onClick}>
      {label}
    </Button>
  );
  const main = first ? 'primary' : 'secondary';
  const makes: Record<Step, () => ReactNode> = {
    runner: () =>
      factory.runners.some(({ disabled }) => !disabled)
        ? press(t('runnerLook'), to('factory/runners'), main)
        : press(t('runnerAction'), to('factory/runners', 'runner.new'), main),
    agent: () => (
      <>
        {press(t('agentAction', { name: t('agentName') }), () => send(usual.agent), main)}
        {press(t('agentOther'), to('factory/agents', 'agent.new'), 'ghost')}
      </>
    ),
    playbook: () => (
      <>
        {press(t('playbookAction'), () => send(usual.playbook), main)}
        {press(t('playbookOther'), to(`factory/playbooks?project=${project}`, 'playbook.new'), 'ghost')}
      </>
    ),
    repository: () => press(t('repositoryAction'), to(`p/${project}/settings/factory`), main),
  };
  // Agents and runners are the organization's; which of them is the default is the project's.
  const may = candidate || step === 'playbook' || step === 'repository' ? configure : administer;
  if (!may) return <span className={styles.about}>{t('ask')}</span>;
  return (
    <span className={styles.actions}>
      {candidate
        ? press(
            t('makeDefault', { name: plain(candidate.name) }),
            () =>
              send(() =>
                usual.makeDefault(step === 'agent' ? 'defaultAgent' : 'defaultPlaybook', candidate.id),
              ),
            main,
          )
        : makes[step]()}
    </span>
  );
}

/** Makes what most projects begin with. */
function useUsual(slug: string, { project, runners, settings }: Factory) {
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const path = { slug, key: project };
  const makeDefault = async (which: 'defaultAgent' | 'defaultPlaybook', id: string) => {
    const body = { version: settings.version, [which]: id };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/factory-settings', { params: { path }, body }));
    await refresh(['factory-settings', slug, project], ['playbooks', slug, project]);
  };
  return {
    makeDefault,
    agent: async () => {
      const body = { name: t('agentName'), model: null };
      const { id } = await data(
        http.POST('/api/v1/orgs/{slug}/agents', { params: { path: { slug } }, body }),
      );
      await makeDefault('defaultAgent', id);
      await refresh(['agents', slug]);
    },
    playbook: async () => {
      const body = {
        name: t('playbookName'),
        instructions: t('playbookInstructions'),
        harness: harnessHere(runners),
        timeLimitMinutes: 60,
        successState: workflow ? reviewState(workflow) : null,
        failureState: null,
        deliveryMode: 'branchAndPullRequest' as const,
        projectDefault: true,
      };
      await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/playbooks', { params: { path }, body }));
      await refresh(['playbooks', slug, project], ['factory-settings', slug, project]);
    },
  };
}

/** One request at a time, whose refusal is told. */
function useOnce() {
  const [busy, setBusy] = useState(false);
  const send = (request: () => Promise<void>) => {
    setBusy(true);
    void request()
      .catch(toastProblem)
      .finally(() => setBusy(false));
  };
  return { busy, send };
}
