import { useQuery } from '@tanstack/react-query';
import { Bot, Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Agent, Run } from '@/api/types';
import { useAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useRouteParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { agentsQuery, deleteAgent, deletedAgentsQuery, restoreAgent, runsQuery } from '@/data/factory';
import { Deleted } from '@/deletion/Deleted';
import { t as deletion } from '@/deletion/strings';
import { plain } from '@/lib/text';
import { useMuteEntry } from '@/notifications/mutes';
import { isLive } from '@/runs/live';
import { RunChip } from '@/runs/RunChip';
import { undoable } from '@/store/undo';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Menu } from '@/ui/Menu';
import type { MenuEntry } from '@/ui/menu-entries';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../factory/factory.module.css';
import { t } from './strings';

type Asked = { edit: Agent } | { disable: Agent } | { remove: Agent } | 'new' | undefined;

/** The bot identities that claim items, comment and open pull requests. */
export default function Agents() {
  const { slug } = useRouteParams('slug');
  const { operate, administer, frozen } = useAccess(slug);
  const { data: agents, error, refetch } = useQuery({ ...agentsQuery(slug), enabled: operate });
  const { data: runs } = useQuery({ ...runsQuery(slug, { pageSize: 50 }), enabled: operate });
  const { data: deleted } = useQuery({ ...deletedAgentsQuery(slug), enabled: administer });
  const [asked, ask] = useState<Asked>();
  const close = () => ask(undefined);
  useCommands(
    administer
      ? [{ id: 'agent.new', title: t('new'), group: 'general', refusal: frozen, run: () => ask('new') }]
      : [],
  );
  const button = administer && (
    <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={() => ask('new')}>
      {t('new')}
    </Button>
  );
  return (
    <FactoryPage title={t('agents')} actions={button}>
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !agents ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={4} height={48} />
        </div>
      ) : agents.length === 0 ? (
        <EmptyState
          icon={Bot}
          title={t('none')}
          action={administer ? { label: t('new'), run: () => ask('new') } : undefined}
        >
          {t('noneHint')}
        </EmptyState>
      ) : (
        <Rows label={t('agents')}>
          {agents.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              live={runs?.items.find((run) => run.agent.id === agent.id && isLive(run))}
              administer={administer}
              frozen={frozen}
              slug={slug}
              ask={ask}
            />
          ))}
        </Rows>
      )}
      {administer && (
        <Deleted
          title={deletion('agents')}
          icon={Bot}
          things={deleted}
          frozen={frozen}
          restore={(agent) => restore(slug, agent)}
        />
      )}
      {asked === 'new' && <AgentForm slug={slug} onClose={close} />}
      {asked && asked !== 'new' && 'edit' in asked && (
        <AgentForm slug={slug} agent={asked.edit} onClose={close} />
      )}
      {asked && asked !== 'new' && 'disable' in asked && (
        <Disable slug={slug} agent={asked.disable} onClose={close} />
      )}
      {asked && asked !== 'new' && 'remove' in asked && (
        <Remove slug={slug} agent={asked.remove} onClose={close} />
      )}
    </FactoryPage>
  );
}

interface AgentRowProps {
  agent: Agent;
  live: Run | undefined;
  administer: boolean;
  frozen: string | undefined;
  slug: string;
  ask: (asked: Asked) => void;
}

function AgentRow({ agent, live, administer, frozen, slug, ask }: AgentRowProps) {
  const name = plain(agent.name);
  const enable = () => void act(() => change(slug, agent, { disabled: false }), ['agents', slug]);
  const mute = useMuteEntry({ what: 'agent', agentId: agent.id }, name);
  const changes = (): MenuEntry[] => [
    { label: t('edit'), refusal: frozen, run: () => ask({ edit: agent }) },
    agent.disabled
      ? { label: t('enable'), refusal: frozen, run: enable }
      : { label: t('disable'), danger: true, refusal: frozen, run: () => ask({ disable: agent }) },
    {
      label: deletion('deleteEntry'),
      danger: true,
      refusal: frozen,
      run: () => ask({ remove: agent }),
    },
  ];
  return (
    <Row
      dimmed={agent.disabled}
      glyph={<Avatar name={name} agent size={24} decorative />}
      title={name}
      href={`/o/${slug}/factory/runs?agent=${agent.id}`}
      tags={agent.disabled ? <Chip>{t('disabled')}</Chip> : live && <RunChip run={live} operator />}
      detail={t('owned', { owner: plain(agent.owner.name) })}
      facts={[
        <span key="model" className="truncate">
          {agent.model ?? t('defaultModel')}
        </span>,
        live?.item ?? '',
      ]}
      actions={
        (administer || mute) && (
          <Menu
            align="end"
            entries={() => [
              ...(mute ? [{ label: mute.label, run: mute.run }] : []),
              ...(administer ? changes() : []),
            ]}
            trigger={(props) => (
              <IconButton {...props} icon={Ellipsis} size="small" label={t('more', { name })} />
            )}
          />
        )
      }
    />
  );
}

function change(
  slug: string,
  agent: Agent,
  body: { name?: string; model?: string | null; disabled?: boolean },
) {
  const params = { path: { slug, id: agent.id } };
  return data(
    http.PATCH('/api/v1/orgs/{slug}/agents/{id}', { params, body: { version: agent.version, ...body } }),
  );
}

function AgentForm({ slug, agent, onClose }: { slug: string; agent?: Agent; onClose: () => void }) {
  const [name, setName] = useState(agent?.name ?? '');
  const [model, setModel] = useState(agent?.model ?? '');
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    const body = { name: name.trim(), model: model.trim() || null };
    if (agent) await change(slug, agent, body);
    else await data(http.POST('/api/v1/orgs/{slug}/agents', { params: { path: { slug } }, body }));
    await refresh(['agents', slug]);
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={agent ? t('editTitle', { name: plain(agent.name) }) : t('newTitle')}
    >
      <form className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          required
          maxLength={60}
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={t('model')}
          hint={t('modelHint')}
          value={model}
          errors={errorsOf('model')}
          onChange={(event) => setModel(event.target.value)}
          spellCheck={false}
        />
        {error !== undefined && <ProblemPanel error={error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {agent ? t('save') : t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Disable({ slug, agent, onClose }: { slug: string; agent: Agent; onClose: () => void }) {
  const run = async () => {
    await change(slug, agent, { disabled: true });
    await refresh(['agents', slug]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('disableTitle', { name: plain(agent.name) })}
      action={t('disable')}
      run={run}
    >
      <p>{t('disableDetail')}</p>
    </Confirm>
  );
}

function Remove({ slug, agent, onClose }: { slug: string; agent: Agent; onClose: () => void }) {
  const name = plain(agent.name);
  const run = async () => {
    await deleteAgent(slug, agent.id);
    await refresh(['agents', slug]);
    undoable(deletion('deleted', { name }), () => void restore(slug, agent));
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={deletion('deleteTitle', { name })}
      action={deletion('delete')}
      typed={name}
      run={run}
    >
      <p>{deletion('aboutAgent')}</p>
      <p>{deletion('restorable')}</p>
    </Confirm>
  );
}

async function restore(slug: string, { id, name }: { id: string; name: string }): Promise<void> {
  const done = await act(() => restoreAgent(slug, id), ['agents', slug]);
  if (done) toast(deletion('restored', { name: plain(name) }));
}
