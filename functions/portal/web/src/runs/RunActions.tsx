/** Going on with a run that ended badly: in its session, or over from a fresh checkout. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCcw, StepForward } from 'lucide-react';
import { useState } from 'react';
import type { Run } from '@/api/types';
import { type Command, useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { goOn, itemRunsQuery } from '@/data/factory';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { toast } from '@/ui/toasts';
import { t } from './action-strings';
import { explain } from './explain';
import { isLive } from './live';

type Way = 'continue' | 'retry';

const WAYS = [
  { way: 'continue', icon: StepForward, keys: 'shift+c' },
  { way: 'retry', icon: RotateCcw, keys: 'shift+t' },
] as const;

/** The ways that the service takes for a run: only an item's newest goes on, and only while none is live. */
function useWays(run: Run, newest: boolean): Way[] {
  const query = itemRunsQuery(run.organization, run.item);
  const { data: page } = useQuery({ ...query, enabled: !newest });
  const runs = newest ? [run] : (page?.items ?? []);
  if (runs[0]?.id !== run.id || runs.some(isLive)) return [];
  const { remedies } = explain(run, { operator: true });
  return WAYS.map(({ way }) => way).filter((way) => remedies.includes(way));
}

interface RunActionsProps {
  run: Run;
  refusal: string | undefined;
  /** One of a list of runs that are known to be the newest of their items: nothing is asked, and keys are not for it. */
  listed?: boolean;
}

/** Buttons for what fits the run, the best first. Nothing for a run that cannot go on. */
export function RunActions({ run, refusal, listed = false }: RunActionsProps) {
  const ways = useWays(run, listed);
  const [asked, ask] = useState<Way>();
  const navigate = useNavigate();
  const fitting = WAYS.filter(({ way }) => ways.includes(way));
  useCommands(
    (listed ? [] : fitting).map(
      ({ way, keys }): Command => ({
        id: `run.${way}`,
        title: t(way),
        group: 'item',
        keys,
        refusal,
        run: () => ask(way),
      }),
    ),
  );
  const go = async (way: Way) => {
    const { organization: slug, item } = run;
    try {
      const next = await goOn(run, way);
      const open = () => void navigate({ href: `/o/${slug}/factory/runs/${next.id}` });
      toast(t(`${way}Done`, { item }), { action: { label: t('open'), run: open } });
    } finally {
      // Refused because somebody was faster: the page shows what is there now.
      await refresh(['run', slug, run.id], ['runs', slug], ['item-runs', slug, item], ['item', slug, item]);
    }
  };
  return (
    <>
      {fitting.map(({ way, icon, keys }, at) => (
        <Button
          key={way}
          size="small"
          kind={at === 0 ? 'agent' : 'secondary'}
          icon={icon}
          refusal={refusal}
          data-tip-keys={listed ? undefined : keys}
          onClick={() => ask(way)}
        >
          {t(way)}
        </Button>
      ))}
      {asked && (
        <Confirm
          open
          danger={false}
          onClose={() => ask(undefined)}
          title={t(`${asked}Title`, { item: run.item })}
          action={t(asked)}
          run={() => go(asked)}
        >
          <p>{t(`${asked}Detail`, { runner: plain(run.runner?.name ?? t('itsRunner')) })}</p>
        </Confirm>
      )}
    </>
  );
}
