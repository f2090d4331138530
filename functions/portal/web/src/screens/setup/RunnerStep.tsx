import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
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

/** A machine that starts agents: its secret, the command, and a sign when it has said hello. Can be skipped. */
export function RunnerStep({ at, slug, project, onDone }: RunnerStepProps) {
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const sending = useSending(async () => {
    const { secret, runner } = await data(
      http.POST('/api/v1/orgs/{slug}/runners', { params: { path: { slug } }, body: { name } }),
    );
    setMade({ id: runner.id, secret });
  });
  if (made) return <Connect at={at} slug={slug} project={project} made={made} onDone={onDone} />;
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

function Connect({
  at,
  slug,
  project,
  made,
  onDone,
}: RunnerStepProps & { made: { id: string; secret: string } }) {
  const { data: runners } = useQuery({
    queryKey: ['runners', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/runners', { params: { path: { slug } } })),
    refetchInterval: 4_000,
  });
  const online = runners?.find((runner) => runner.id === made.id)?.online ?? false;
  return (
    <Outside title={t('runner')} lead={t('commandsHint')} step={at}>
      <div className={form.form}>
        <ConnectSteps secret={made.secret} project={project} />
        <div className={form.row} aria-live="polite">
          <Chip tone={online ? 'ok' : 'neutral'}>{online ? t('online') : t('waiting')}</Chip>
        </div>
        <Button kind={online ? 'primary' : 'secondary'} onClick={onDone}>
          {t('toBoard')}
        </Button>
      </div>
    </Outside>
  );
}
