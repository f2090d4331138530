import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { runnersQuery } from '@/data/factory';
import { plain, projectOf } from '@/lib/text';
import { ALL_HARNESSES, type Harness, harnessName } from '@/runs/harnesses';
import { MendLink } from '@/runs/MendLink';
import { sentenceOf } from '@/runs/preflight';
import { Button } from '@/ui/Button';
import { SelectField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import type { TurnProps } from './props';
import styles from './refine.module.css';
import { t } from './strings';

interface StartProps extends TurnProps {
  lead?: string;
  action: string;
}

/** Asks an agent to refine the ticket, on a harness and a runner of choice. */
export function Start({ slug, item, write, frozen, lead, action }: StartProps) {
  const { data: runners } = useQuery(runnersQuery(slug));
  const [harness, setHarness] = useState('');
  const [runner, setRunner] = useState('');
  const sending = useSending(async () => {
    const body = {
      ...(harness ? { harness: harness as Harness } : {}),
      ...(runner ? { runnerId: runner } : {}),
    };
    const params = { path: { slug, key: item.key } };
    await data(http.POST('/api/v1/orgs/{slug}/items/{key}/refinement', { params, body }));
    await refresh(['refinement', slug, item.key], ['item-runs', slug, item.key]);
  });
  if (!write) return lead ? <p className={styles.turn}>{lead}</p> : null;
  return (
    <form className={`${styles.turn} ${form.form}`} onSubmit={sending.onSubmit}>
      {lead && <p>{lead}</p>}
      <SelectField
        label={t('harness')}
        value={harness}
        errors={sending.errorsOf('harness')}
        onChange={(event) => setHarness(event.target.value)}
      >
        <option value="">{t('anyHarness')}</option>
        {ALL_HARNESSES.map((id) => (
          <option key={id} value={id}>
            {harnessName(id)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('runner')}
        value={runner}
        errors={sending.errorsOf('runnerId')}
        onChange={(event) => setRunner(event.target.value)}
      >
        <option value="">{t('anyRunner')}</option>
        {runners
          ?.filter(({ disabled }) => !disabled)
          .map(({ id, name, online }) => (
            <option key={id} value={id}>
              {online ? plain(name) : `${plain(name)} · ${t('offline')}`}
            </option>
          ))}
      </SelectField>
      {sending.error !== undefined && (
        <>
          <ProblemPanel error={sending.error} />
          <p>
            <MendLink sentence={sentenceOf(sending.error)} slug={slug} project={projectOf(item.key)} />
          </p>
        </>
      )}
      <div className={styles.foot}>
        <Button type="submit" kind="agent" busy={sending.busy} refusal={frozen}>
          {action}
        </Button>
      </div>
    </form>
  );
}
