import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Budget, Budgets } from '@/api/types';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { budgetsQuery, changeBudget } from '@/data/budgets';
import { cx } from '@/lib/class-names';
import { listed } from '@/lib/listed';
import { plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import factory from '../factory/factory.module.css';
import { BudgetForm } from './BudgetForm';
import styles from './budgets.module.css';
import { amount, DAILY, EACH, type Meter, meters, nameOf } from './limits';
import { t } from './strings';

type Asked = { edit: Budget } | { remove: Budget } | 'new' | undefined;

/** What agents may use, what is used of it today, and what one run may use. Owners and Admins change it. */
export default function BudgetsPage() {
  const { slug } = useRouteParams('slug');
  const { operate, administer, frozen } = useAccess(slug);
  const { data: all, error, refetch } = useQuery({ ...budgetsQuery(slug), enabled: operate });
  const [asked, ask] = useState<Asked>();
  const create = () => ask('new');
  const close = () => ask(undefined);
  const may = administer && all !== undefined;
  useCommands(
    may ? [{ id: 'budget.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  return (
    <FactoryPage
      title={t('budgets')}
      actions={
        may && (
          <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
            {t('new')}
          </Button>
        )
      }
    >
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !all ? (
        <div className={factory.loading}>
          <Skeleton label={t('loading')} rows={4} height={72} />
        </div>
      ) : (
        <>
          <p className={styles.about}>
            {t('about')} {day()}
          </p>
          {all.budgets.map((budget) => (
            <OneBudget
              key={nameOf(budget)}
              budget={budget}
              refusal={frozen}
              {...(administer ? { ask } : {})}
            />
          ))}
        </>
      )}
      {all && asked === 'new' && <BudgetForm slug={slug} all={all} onClose={close} />}
      {all && asked && asked !== 'new' && 'edit' in asked && (
        <BudgetForm slug={slug} all={all} budget={asked.edit} onClose={close} />
      )}
      {all && asked && asked !== 'new' && 'remove' in asked && (
        <Remove slug={slug} all={all} budget={asked.remove} onClose={close} />
      )}
    </FactoryPage>
  );
}

/** When a day begins, also by the clock of who looks where that is another one. */
function day(): string {
  const begun = new Date();
  begun.setUTCHours(0, 0, 0, 0);
  const time = begun.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return begun.getTimezoneOffset() === 0 ? t('day') : t('dayHere', { time });
}

interface OneBudgetProps {
  budget: Budget;
  refusal: string | undefined;
  /** Only for who may change it. */
  ask?: (asked: Asked) => void;
}

function OneBudget({ budget, refusal, ask }: OneBudgetProps) {
  const name = plain(nameOf(budget));
  const own = budget.project !== undefined || budget.agent !== undefined;
  return (
    <Section
      title={name}
      flush
      actions={
        ask && (
          <>
            <IconButton
              icon={Pencil}
              size="small"
              label={t('changeOf', { name })}
              refusal={refusal}
              onClick={() => ask({ edit: budget })}
            />
            {own && (
              <IconButton
                icon={Trash2}
                size="small"
                label={t('removeOf', { name })}
                refusal={refusal}
                onClick={() => ask({ remove: budget })}
              />
            )}
          </>
        )
      }
    >
      <dl className={styles.meters}>
        {meters(budget).map((meter) => (
          <OneMeter key={meter.limit} meter={meter} left={budget.left[meter.limit]} />
        ))}
      </dl>
      <p className={styles.each}>{eachRun(budget)}</p>
    </Section>
  );
}

/** What is used, of how much, and what that means. */
function OneMeter({ meter, left }: { meter: Meter; left: number | undefined }) {
  const { limit, used, most, part, state } = meter;
  return (
    <div className={cx(state !== 'free' && styles[state])}>
      <dt>{t(`meter_${limit}`)}</dt>
      <dd>
        <p className={styles.used}>
          {amount(limit, used)}
          {most !== undefined && <small>{t('of', { most: amount(limit, most) })}</small>}
        </p>
        <div className={styles.track} aria-hidden="true">
          {part !== undefined && <i style={{ width: `${100 * part}%` }} />}
        </div>
        <p className={styles.note}>
          {state === 'over'
            ? t('usedUp')
            : most === undefined
              ? t('unlimited')
              : t('left', { left: amount(limit, left ?? 0) })}
        </p>
      </dd>
    </div>
  );
}

function eachRun({ limits }: Budget): string {
  const words = EACH.flatMap((limit) => {
    const most = limits[limit];
    return most === undefined ? [] : [t(limit, { n: most, amount: amount(limit, most) })];
  });
  return words.length > 0 ? t('eachRun', { limits: listed(words) }) : t('eachFree');
}

interface RemoveProps {
  slug: string;
  all: Budgets;
  budget: Budget;
  onClose: () => void;
}

function Remove({ slug, all, budget, onClose }: RemoveProps) {
  const run = async () => {
    const cleared = Object.fromEntries([...DAILY, ...EACH].map((limit) => [limit, null]));
    const whose = budget.project ? { project: budget.project } : { agent: budget.agent?.id ?? '' };
    try {
      await changeBudget(slug, { version: all.version, ...whose, ...cleared });
    } finally {
      await refresh(['budgets', slug], ['runs', slug]);
    }
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('removeTitle', { name: plain(nameOf(budget)) })}
      action={t('remove')}
      run={run}
    >
      <p>{t('removeDetail')}</p>
    </Confirm>
  );
}
