import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { runnersQuery } from '@/data/factory';
import { ConnectSteps } from '@/screens/runners/ConnectSteps';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { TextField } from '@/ui/Field';
import { t } from './strings';

interface RunnerStepProps {
  at: { at: number; of: number };
  slug: string;
  /** Key of the project that was made before. */
  project: string;
  onDone: () => void;
}

/**
 * A machine that starts agents: its secret, the command, and a first run when it has said hello, also after a reload. Can be
 * skipped.
 */
export function RunnerStep({ at, slug, project, onDone }: RunnerStepProps) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const sending = useSending(async () => {
    const { secret, runner } = await data(
      http.POST('/api/v1/orgs/{slug}/runners', { params: { path: { slug } }, body: { name } }),
    );
    setMade({ id: runner.id, secret });
  });
  const { data: runners } = useQuery({ ...runnersQuery(slug), refetchInterval: 4_000 });
  const online = runners?.some((runner) => (made ? runner.id === made.id : true) && runner.online) ?? false;
  const common = { at, slug, project, online, onDone };
  if (made) return <Connect {...common} made={made} />;
  if (online)
    return (
      <Outside title={t('runner')} lead={t('onlineLead')} step={at}>
        <GoOn {...common} />
      </Outside>
    );
  return (
    <Outside title={t('runner')} lead={t('runnerLead')} step={at}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('runnerName')}
          required
          autoFocus
          placeholder="build-1"
          value={name}
          errors={sending.errorsOf('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <FormProblem error={sending.error} />
        <div className={form.row}>
          <Button kind="primary" type="submit" busy={sending.busy}>
            {t('createRunner')}
          </Button>
          <Button kind="ghost" onClick={onDone}>
            {t('skip')}
          </Button>
        </div>
      </form>
    </Outside>
  );
}

/** The machine is told what to do. What it says of itself leads on. */
function Connect({
  at,
  slug,
  project,
  made,
  online,
  onDone,
}: RunnerStepProps & { made: { id: string; secret: string }; online: boolean }) {
  return (
    <Outside title={t('runner')} lead={t(online ? 'onlineLead' : 'commandsHint')} step={at}>
      {!online && <ConnectSteps secret={made.secret} project={project} />}
      <GoOn slug={slug} project={project} online={online} onDone={onDone} />
    </Outside>
  );
}

interface GoOnProps {
  slug: string;
  project: string;
  online: boolean;
  onDone: () => void;
}

/** To the board, or with a machine at hand to a first run: an item that any repository can have, and the dialog that starts it. */
function GoOn({ slug, project, online, onDone }: GoOnProps) {
  const navigate = useNavigate();
  const sending = useSending(async () => {
    const { key } = await data(
      http.POST('/api/v1/orgs/{slug}/projects/{key}/items', {
        params: { path: { slug, key: project } },
        body: { type: 'task', title: t('firstTitle'), body: t('firstBody') },
      }),
    );
    await navigate({
      to: '/o/$slug/p/$project/items/$item',
      params: { slug, project, item: key },
      replace: true,
      state: { command: 'item.run' },
    });
  });
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <div className={form.row} aria-live="polite">
        <Chip tone={online ? 'ok' : 'neutral'}>{online ? t('online') : t('waiting')}</Chip>
      </div>
      <FormProblem error={sending.error} />
      <div className={form.row}>
        {online && (
          <Button kind="primary" type="submit" busy={sending.busy}>
            {t('firstRun')}
          </Button>
        )}
        <Button kind={online ? 'ghost' : 'secondary'} onClick={onDone}>
          {t('toBoard')}
        </Button>
      </div>
    </form>
  );
}
