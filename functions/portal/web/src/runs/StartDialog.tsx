import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { ProblemError } from '@/api/problem';
import type { Agent, Playbook, Run, Runner, StartRun } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import {
  agentsQuery,
  playbookQuery,
  playbooksQuery,
  runnersQuery,
  runPreviewQuery,
  runsQuery,
} from '@/data/factory';
import { factorySettingsQuery } from '@/data/settings';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { useSettled } from '@/lib/settled';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { Button } from '@/ui/Button';
import { useMinute } from '@/ui/DateTime';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { HarnessField } from './HarnessField';
import type { Harness } from './harnesses';
import { MendLink } from './MendLink';
import { type Preflight, preflight, sentenceOf } from './preflight';
import Readiness from './Readiness';
import styles from './StartDialog.module.css';
import { fromLocal, inSixHours, toLocal, ZONE } from './schedule';
import { t } from './start-strings';
import { useReadiness } from './useReadiness';

interface StartDialogProps {
  slug: string;
  project: string;
  item: string;
  /** A run whose playbook, agent and harness are taken over. */
  preset?: Run | undefined;
  onClose: () => void;
}

/** Asks with which playbook, as whom, where and when, and says what will become of it before it is started. */
export function StartDialog(props: StartDialogProps) {
  const { slug, project, item, onClose } = props;
  const playbooks = useQuery(playbooksQuery(slug, project));
  const agents = useQuery(agentsQuery(slug));
  const runners = useQuery(runnersQuery(slug));
  const settings = useQuery(factorySettingsQuery(slug, project));
  const error = playbooks.error ?? agents.error ?? runners.error ?? settings.error;
  const usable = agents.data?.filter((agent) => !agent.disabled);
  const nothing = playbooks.data?.length === 0 || usable?.length === 0;
  const readiness = useReadiness(slug, nothing ? project : undefined);
  return (
    <Dialog open onClose={onClose} title={t('title', { item })}>
      {error ? (
        <ProblemPanel error={error} />
      ) : !playbooks.data || !usable || !runners.data || !settings.data || (nothing && !readiness) ? (
        <Skeleton label={t('loading')} rows={4} height={40} />
      ) : readiness && nothing ? (
        <Readiness slug={slug} {...readiness} />
      ) : (
        <StartForm
          {...props}
          playbooks={playbooks.data}
          agents={usable}
          runners={runners.data}
          defaultAgent={settings.data.defaultAgent?.id}
        />
      )}
    </Dialog>
  );
}

interface Choices {
  playbooks: readonly Playbook[];
  agents: readonly Agent[];
  runners: readonly Runner[];
  defaultAgent: string | undefined;
}

function StartForm({
  slug,
  project,
  item,
  preset,
  onClose,
  playbooks,
  agents,
  runners,
  defaultAgent,
}: StartDialogProps & Choices) {
  useMinute();
  const navigate = useNavigate();
  const first =
    playbooks.find((one) => one.id === preset?.playbook.id) ??
    playbooks.find((one) => one.projectDefault) ??
    playbooks[0];
  const [playbookId, setPlaybook] = useState(first?.id ?? '');
  const [agent, setAgent] = useState(
    (
      agents.find((one) => one.id === preset?.agent.id) ??
      agents.find((one) => one.id === defaultAgent) ??
      agents[0]
    )?.id ?? '',
  );
  const [runner, setRunner] = useState('');
  // A run that was started with another harness than its playbook's is started so again.
  const [harness, setHarness] = useState<Harness | ''>(
    preset && preset.playbook.id === first?.id && preset.harness !== first.harness ? preset.harness : '',
  );
  const [later, setLater] = useState(false);
  const [when, setWhen] = useState(() => toLocal(inSixHours(serverNow())));
  const { data: runs } = useQuery(runsQuery(slug, { pageSize: 50 }));
  const { data: whole } = useQuery({
    ...playbookQuery(slug, project, playbookId),
    enabled: playbookId !== '',
  });
  const playbook = playbooks.find((one) => one.id === playbookId);
  const at = later ? fromLocal(when) : undefined;
  const unreadable = whole !== undefined && typeof whole.instructions !== 'string';
  const load = loads(runs?.items ?? []);
  const body: StartRun = {
    playbook: playbookId,
    agent,
    ...(runner ? { runner } : {}),
    ...(harness ? { harness } : {}),
    ...(at === undefined ? {} : { scheduledFor: new Date(at).toISOString() }),
  };
  const ahead = usePreflight(slug, item, body, at);

  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const run = await data(
      http.POST('/api/v1/orgs/{slug}/items/{key}/runs', { params: { path: { slug, key: item } }, body }),
    );
    onClose();
    toast(t('started', { item }), {
      action: { label: t('open'), run: () => void navigate({ href: `/o/${slug}/factory/runs/${run.id}` }) },
    });
    await refresh(['runs', slug], ['item-runs', slug, item], ['item', slug, item]);
  });

  return (
    <form className={form.form} onSubmit={onSubmit}>
      <SelectField
        label={t('playbook')}
        autoFocus
        value={playbookId}
        errors={errorsOf('playbook')}
        hint={before(preset?.playbook, playbooks)}
        onChange={(event) => setPlaybook(event.target.value)}
      >
        {playbooks.map((one) => (
          <option key={one.id} value={one.id}>
            {one.projectDefault ? t('defaultMark', { name: plain(one.name) }) : plain(one.name)}
          </option>
        ))}
      </SelectField>
      {playbook?.deliveryMode === 'pushToDefaultBranch' && (
        <Banner kind="bad">{t('pushes', { branch: t('defaultBranch') })}</Banner>
      )}
      {unreadable && <Banner kind="locked">{t('unreadable')}</Banner>}
      {whole?.instructions && (
        <details className={styles.preview}>
          <summary>{t('preview')}</summary>
          <pre>{whole.instructions}</pre>
        </details>
      )}
      <div className={styles.pair}>
        <SelectField
          label={t('agent')}
          value={agent}
          errors={errorsOf('agent')}
          hint={before(preset?.agent, agents)}
          onChange={(event) => setAgent(event.target.value)}
        >
          {agents.map((one) => (
            <option key={one.id} value={one.id}>
              {plain(one.name)}
            </option>
          ))}
        </SelectField>
        <HarnessField
          label={t('harness')}
          value={harness}
          own={playbook?.harness}
          runners={runners}
          runner={runner}
          errors={errorsOf('harness')}
          onChange={setHarness}
        />
      </div>
      <SelectField
        label={t('runner')}
        value={runner}
        errors={errorsOf('runner')}
        onChange={(event) => setRunner(event.target.value)}
      >
        <option value="">{t('anyRunner')}</option>
        {runners
          .filter((one) => !one.disabled)
          .map((one) => (
            <option key={one.id} value={one.id}>
              {runnerLabel(one, load.get(one.id) ?? 0)}
            </option>
          ))}
      </SelectField>
      <When
        later={later}
        setLater={setLater}
        when={when}
        setWhen={setWhen}
        errors={errorsOf('scheduledFor')}
      />
      {!unreadable && error === undefined && (
        <Ahead slug={slug} project={project} ahead={ahead} later={later} />
      )}
      {error !== undefined && <Refusal slug={slug} project={project} error={error} />}
      <div className={cx(form.row, form.end)}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" busy={busy} disabled={unreadable || ahead?.tone === 'bad'}>
          {later ? t('schedule') : t('start')}
        </Button>
      </div>
    </form>
  );
}

/** That what was taken the last time cannot be taken now: it was deleted or disabled. */
function before(named: { id: string; name: string } | undefined, there: readonly { id: string }[]) {
  if (!named || there.some(({ id }) => id === named.id)) return undefined;
  return t('gone', { name: plain(named.name) });
}

/** What the service says would become of the run, asked again when another choice is made. */
function usePreflight(slug: string, item: string, body: StartRun, at: number | undefined) {
  const chosen = useSettled(JSON.stringify(body), 200);
  const now = serverNow();
  const past = at !== undefined && at <= now;
  const query = runPreviewQuery(slug, item, JSON.parse(chosen) as StartRun);
  const { data: preview, error } = useQuery({ ...query, enabled: !past });
  return preflight(preview, error, { at, now });
}

interface AheadProps {
  slug: string;
  project: string;
  ahead: Preflight | undefined;
  later: boolean;
}

/** Its place is there before the answer is, so that nothing moves when it comes. */
function Ahead({ slug, project, ahead, later }: AheadProps) {
  if (!ahead) return <p className={styles.ahead}>{t('asking')}</p>;
  return (
    <p className={cx(styles.ahead, styles[ahead.tone])} role="status">
      <Icon of={ahead.tone === 'ok' ? (later ? Clock : CircleCheck) : CircleAlert} size={14} />
      <span>
        {ahead.text}
        <MendLink sentence={ahead.text} slug={slug} project={project} />{' '}
        {ahead.runId && (
          <Link {...address(`/o/${slug}/factory/runs/${ahead.runId}`)} className="link">
            {t('toLive')}
          </Link>
        )}
      </span>
    </p>
  );
}

/** Why it was refused, with the run that stands in the way. */
function Refusal({ slug, project, error }: { slug: string; project: string; error: unknown }) {
  const run = error instanceof ProblemError ? error.problem.runId : undefined;
  return (
    <div>
      <ProblemPanel error={error} />
      <p className={styles.live}>
        <MendLink sentence={sentenceOf(error)} slug={slug} project={project} />
      </p>
      {run && (
        <p className={styles.live}>
          <Link {...address(`/o/${slug}/factory/runs/${run}`)} className="link">
            {t('toLive')}
          </Link>
        </p>
      )}
    </div>
  );
}

interface WhenProps {
  later: boolean;
  setLater: (later: boolean) => void;
  when: string;
  setWhen: (when: string) => void;
  errors: readonly string[] | undefined;
}

function When({ later, setLater, when, setWhen, errors }: WhenProps) {
  const at = fromLocal(when);
  const utc = at === undefined ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return (
    <>
      <fieldset className={styles.when}>
        <legend>{t('when')}</legend>
        {[false, true].map((choice) => (
          <label key={String(choice)}>
            <input type="radio" name="when" checked={later === choice} onChange={() => setLater(choice)} />
            {t(choice ? 'laterChoice' : 'now')}
          </label>
        ))}
      </fieldset>
      {later && (
        <TextField
          label={t('startAt')}
          type="datetime-local"
          value={when}
          min={toLocal(serverNow())}
          errors={errors}
          hint={t('zone', { zone: ZONE, utc })}
          onChange={(event) => setWhen(event.target.value)}
        />
      )}
    </>
  );
}

function loads(runs: readonly Run[]): Map<string, number> {
  const load = new Map<string, number>();
  for (const run of runs) {
    if (run.runner && (run.status === 'running' || run.status === 'assigned'))
      load.set(run.runner.id, (load.get(run.runner.id) ?? 0) + 1);
  }
  return load;
}

function runnerLabel(runner: Runner, load: number): string {
  const name = plain(runner.name);
  return runner.online
    ? t('busyMark', { name, n: load, of: runner.parallel ?? 1 })
    : t('offlineMark', { name });
}
