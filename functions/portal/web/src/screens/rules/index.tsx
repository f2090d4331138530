import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Workflow } from 'lucide-react';
import type { Rule } from '@/api/types';
import { useSearchParams } from '@/app/params';
import { act, refresh } from '@/data/act';
import { playbooksQuery } from '@/data/factory';
import { changeRule, deleteRule, rulesQuery } from '@/data/rules';
import { type Named, useNamedAgent, useNamedPlaybook } from '@/deletion/named';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from '../factory/factory.module.css';
import { type ListProps, ProjectPage } from '../factory/ProjectPage';
import { Firings } from './Firings';
import { RuleForm } from './RuleForm';
import { t } from './strings';

/** What hands items to agents by itself, and what came of it. */
export default function Rules() {
  return (
    <ProjectPage<Rule>
      title={t('rules')}
      icon={Workflow}
      make={t('new')}
      command="rule.new"
      noProject={t('noProject')}
      own={OWN}
      list={(props) => <List {...props} />}
      dialog={(asked, about) =>
        asked === 'new' ? (
          <RuleForm {...about} />
        ) : 'edit' in asked ? (
          <RuleForm {...about} rule={asked.edit} />
        ) : (
          <Remove {...about} rule={asked.remove} />
        )
      }
    />
  );
}

const OWN = ['rule', 'page'];

function List({ slug, project, configure, frozen, ask }: ListProps<Rule>) {
  const rules = useQuery(rulesQuery(slug, project));
  const playbooks = useQuery(playbooksQuery(slug, project));
  const navigate = useNavigate();
  const error = rules.error ?? playbooks.error;
  if (error) return <ProblemPanel error={error} retry={() => void rules.refetch()} />;
  if (!rules.data || !playbooks.data) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={4} height={48} />
      </div>
    );
  }
  if (playbooks.data.length === 0 && rules.data.length === 0) {
    const to = `/o/${slug}/factory/playbooks?project=${project}`;
    return (
      <EmptyState
        icon={Workflow}
        title={t('noPlaybook')}
        action={{
          label: t('toPlaybooks'),
          run: () => void navigate({ ...address(to), state: { command: 'playbook.new' } }),
        }}
      />
    );
  }
  if (rules.data.length === 0) {
    const action = configure && !frozen ? { label: t('new'), run: () => ask('new') } : undefined;
    return (
      <EmptyState icon={Workflow} title={t('none')} action={action}>
        {t('noneHint')}
      </EmptyState>
    );
  }
  return (
    <>
      <Rows label={t('rules')}>
        {rules.data.map((rule) => (
          <RuleRow
            key={rule.id}
            slug={slug}
            project={project}
            rule={rule}
            configure={configure}
            frozen={frozen}
            ask={ask}
          />
        ))}
      </Rows>
      <Firings slug={slug} project={project} rules={rules.data} />
    </>
  );
}

interface RuleRowProps extends ListProps<Rule> {
  rule: Rule;
}

function RuleRow({ slug, project, rule, configure, frozen, ask }: RuleRowProps) {
  const playbook = useNamedPlaybook(slug, project, rule.playbook);
  const agent = useNamedAgent(slug, rule.agent);
  const [, change] = useSearchParams();
  const name = plain(rule.name);
  const turn = (disabled: boolean) =>
    void act(() => changeRule(slug, project, rule, { disabled }), ['rules', slug, project]);
  const show = { label: t('showFirings'), run: () => change({ rule: rule.id, page: '' }) };
  const own = [
    { label: t('edit'), refusal: frozen, run: () => ask({ edit: rule }) },
    { label: t(rule.disabled ? 'enable' : 'disable'), refusal: frozen, run: () => turn(!rule.disabled) },
    {
      label: t(rule.onlyAiStarters ? 'forEverybody' : 'onlyAiStarters'),
      refusal: frozen,
      run: () =>
        void act(
          () => changeRule(slug, project, rule, { onlyAiStarters: !rule.onlyAiStarters }),
          ['rules', slug, project],
        ),
    },
    { label: t('delete'), danger: true, refusal: frozen, run: () => ask({ remove: rule }) },
  ];
  return (
    <Row
      dimmed={rule.disabled}
      glyph={<Icon of={Workflow} />}
      title={name}
      tags={rule.disabled && <Chip>{t('disabled')}</Chip>}
      detail={sentence(rule, playbook)}
      facts={[
        agent ? t('as', { agent: agent.name }) : t('asDefault'),
        t('savedBy', { name: plain(rule.savedBy.name) }),
        ...(rule.onlyAiStarters ? [] : [t('isForEverybody')]),
      ]}
      actions={
        <Menu
          align="end"
          entries={() => (configure ? [show, '-', ...own] : [show])}
          trigger={(props) => (
            <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
          )}
        />
      }
    />
  );
}

function sentence(rule: Rule, playbook: Named | undefined): string {
  const parts = { state: plain(rule.state), playbook: playbook?.name ?? t('somePlaybook') };
  return rule.label ? t('sentenceLabel', { ...parts, label: plain(rule.label) }) : t('sentence', parts);
}

interface RemoveProps {
  slug: string;
  project: string;
  rule: Rule;
  onClose: () => void;
}

function Remove({ slug, project, rule, onClose }: RemoveProps) {
  const run = async () => {
    await deleteRule(slug, project, rule);
    await refresh(['rules', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(rule.name) })}
      action={t('delete')}
      run={run}
    >
      <p>{t('deleteDetail')}</p>
    </Confirm>
  );
}
