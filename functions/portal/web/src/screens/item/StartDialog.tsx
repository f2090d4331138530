import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { refresh } from '@/data/act';
import { agentsQuery, playbooksQuery, runnersQuery } from '@/data/factory';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { harnessName } from '@/runs/harnesses';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { Skeleton } from '@/ui/Skeleton';
import { toast } from '@/ui/toasts';
import styles from './aside.module.css';
import type { ItemContext } from './ItemView';
import { t } from './strings';

/** Start later is prefilled with six hours from now. */
const LATER = 6 * 3_600_000;

/** Starts an agent: with which playbook, as whom, where and when, and what will come of it. */
export default function StartDialog({ slug, project, card, onClose }: ItemContext & { onClose: () => void }) {
  const playbooks = useQuery(playbooksQuery(slug, project));
  const agents = useQuery(agentsQuery(slug));
  const runners = useQuery(runnersQuery(slug));
  const [playbookId, setPlaybook] = useState<string>();
  const [agentId, setAgent] = useState<string>();
  const [runnerId, setRunner] = useState('');
  const [later, setLater] = useState(false);
  const [at, setAt] = useState(() => localTime(serverNow() + LATER));
  const usable = (playbooks.data ?? []).filter(
    (playbook) => playbook.instructions !== null && playbook.instructions !== undefined,
  );
  const playbook =
    usable.find(({ id }) => id === playbookId) ??
    usable.find(({ projectDefault }) => projectDefault) ??
    usable[0];
  const live = (agents.data ?? []).filter((agent) => !agent.disabled);
  const agent = live.find(({ id }) => id === agentId) ?? live[0];
  const online = (runners.data ?? []).filter((runner) => runner.online && !runner.disabled);
  const sending = useSending(async () => {
    const scheduledFor = later ? new Date(at).toISOString() : undefined;
    const body = {
      ...(playbook ? { playbook: playbook.id } : {}),
      ...(agent ? { agent: agent.id } : {}),
      ...(runnerId ? { runner: runnerId } : {}),
      ...(scheduledFor ? { scheduledFor } : {}),
    };
    await data(
      http.POST('/api/v1/orgs/{slug}/items/{key}/runs', { params: { path: { slug, key: card.key } }, body }),
    );
    await refresh(['item-runs', slug, card.key], ['runs', slug]);
    toast(t('started', { playbook: plain(playbook?.name ?? ''), key: card.key }));
    onClose();
  });
  const loading = playbooks.isPending || agents.isPending;
  const missing = loading ? undefined : !playbook ? t('noPlaybook') : !agent ? t('noAgent') : undefined;
  const chosen = (runners.data ?? []).find(({ id }) => id === runnerId);
  const fits = (runnerId ? online.filter(({ id }) => id === runnerId) : online).find(
    (runner) => playbook && runner.harnesses.includes(playbook.harness),
  );
  const preflight = later
    ? t('scheduled')
    : fits
      ? t('willStart', { runner: plain(fits.name) })
      : chosen && !chosen.online
        ? t('willWaitRunner', { runner: plain(chosen.name) })
        : t('willWait', { harness: playbook ? harnessName(playbook.harness) : '' });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('startTitle', { key: card.key })}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" busy={sending.busy} refusal={missing} onClick={sending.onSubmit}>
            {t('start')}
          </Button>
        </>
      }
    >
      {loading ? (
        <Skeleton label={t('start')} rows={4} />
      ) : missing ? (
        <p>{missing}</p>
      ) : (
        <form className={form.form} onSubmit={sending.onSubmit}>
          <SelectField
            label={t('playbook')}
            value={playbook?.id}
            onChange={(event) => setPlaybook(event.target.value)}
          >
            {usable.map(({ id, name }) => (
              <option key={id} value={id}>
                {plain(name)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('agent')}
            value={agent?.id}
            onChange={(event) => setAgent(event.target.value)}
          >
            {live.map(({ id, name }) => (
              <option key={id} value={id}>
                {plain(name)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('runner')}
            value={runnerId}
            onChange={(event) => setRunner(event.target.value)}
          >
            <option value="">{t('anyRunner')}</option>
            {(runners.data ?? [])
              .filter(({ disabled }) => !disabled)
              .map(({ id, name, online: is, harnesses }) => (
                <option key={id} value={id}>
                  {`${plain(name)} · ${is ? 'online' : 'offline'} · ${harnesses.map(harnessName).join(', ')}`}
                </option>
              ))}
          </SelectField>
          <SelectField
            label={t('when')}
            value={later ? 'later' : 'now'}
            onChange={(event) => setLater(event.target.value === 'later')}
          >
            <option value="now">{t('now')}</option>
            <option value="later">{t('later')}</option>
          </SelectField>
          {later && (
            <TextField
              label={t('at')}
              type="datetime-local"
              min={localTime(serverNow())}
              value={at}
              errors={sending.errorsOf('scheduledFor')}
              hint={t('utc', { at: utc(at) })}
              onChange={(event) => setAt(event.target.value)}
            />
          )}
          {playbook?.deliveryMode === 'pushToDefaultBranch' && (
            <p className={styles.direct}>{t('direct', { branch: 'the default branch' })}</p>
          )}
          <p className="meta" aria-live="polite">
            {preflight}
          </p>
          <FormProblem error={sending.error} />
        </form>
      )}
    </Dialog>
  );
}

function localTime(milliseconds: number): string {
  const at = new Date(milliseconds);
  return new Date(milliseconds - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utc(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 16).replace('T', ' ');
}
