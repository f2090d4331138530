import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { projectMembersQuery } from '@/data/projects';
import { teamsQuery } from '@/data/sprints';
import { keyOf, plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Dialog } from '@/ui/Dialog';
import { CheckField, TextField } from '@/ui/Field';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

type Team = components['schemas']['Team'];

/** The teams of a project: each plans sprints of its own. */
export default function Teams({ slug, project, may, frozen }: OfProject) {
  const { data: teams, error, refetch } = useQuery(teamsQuery(slug, project));
  const [asked, ask] = useState<Team | 'new'>();
  const create = () => ask('new');
  useCommands(
    may ? [{ id: 'team.new', title: t('newTeam'), group: 'general', refusal: frozen, run: create }] : [],
  );
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!teams) return <Skeleton label={common('loading')} rows={3} height={40} />;
  const archive = (team: Team, archived: boolean) => {
    const params = { path: { slug, key: project, team: team.key } };
    void act(
      () =>
        data(
          http.PATCH('/api/v1/orgs/{slug}/projects/{key}/teams/{team}', {
            params,
            body: { version: team.version, archived },
          }),
        ),
      ['teams', slug, project],
    );
  };
  return (
    <Section
      title={t('teamsCount', { n: teams.length })}
      about={t('teamsAbout')}
      actions={
        may && (
          <Button size="small" icon={Plus} refusal={frozen} onClick={create}>
            {t('newTeam')}
          </Button>
        )
      }
    >
      <div className={styles.card}>
        {teams.length === 0 && <p className={styles.empty}>{t('noTeam')}</p>}
        <Rows label={t('teams')}>
          {teams.map((team) => (
            <Row
              key={team.id}
              dimmed={team.archived}
              title={plain(team.name)}
              tags={
                <>
                  <Chip>{team.key}</Chip>
                  {team.archived && <Chip tone="warn">{t('archived')}</Chip>}
                </>
              }
              detail={team.members.map((member) => plain(member.name)).join(', ') || t('noTeamMember')}
              actions={
                may && (
                  <Menu
                    align="end"
                    entries={() => [
                      { label: t('edit'), refusal: frozen, run: () => ask(team) },
                      {
                        label: t(team.archived ? 'revive' : 'archive'),
                        refusal: frozen,
                        run: () => archive(team, !team.archived),
                      },
                    ]}
                    trigger={(props) => (
                      <IconButton
                        {...props}
                        icon={Ellipsis}
                        size="small"
                        label={t('actionsFor', { name: plain(team.name) })}
                      />
                    )}
                  />
                )
              }
            />
          ))}
        </Rows>
      </div>
      {asked && (
        <TeamForm
          slug={slug}
          project={project}
          team={asked === 'new' ? undefined : asked}
          onClose={() => ask(undefined)}
        />
      )}
    </Section>
  );
}

function TeamForm({
  slug,
  project,
  team,
  onClose,
}: {
  slug: string;
  project: string;
  team: Team | undefined;
  onClose: () => void;
}) {
  const { data: people } = useQuery(projectMembersQuery(slug, project));
  const { values, change, changed } = useValues({
    name: team?.name ?? '',
    key: team?.key ?? '',
    members: team?.members.map((member) => member.id) ?? [],
  });
  const sending = useSending(async () => {
    const { name, key, members } = values;
    if (team) {
      const params = { path: { slug, key: project, team: team.key } };
      await data(
        http.PATCH('/api/v1/orgs/{slug}/projects/{key}/teams/{team}', {
          params,
          body: { version: team.version, name, members },
        }),
      );
    } else {
      const body = { name, key: key || keyOf(name), members };
      await data(
        http.POST('/api/v1/orgs/{slug}/projects/{key}/teams', {
          params: { path: { slug, key: project } },
          body,
        }),
      );
    }
    await refresh(['teams', slug, project], ['sprints', slug, project]);
    onClose();
  });
  const toggle = (id: string, on: boolean) =>
    change({ members: on ? [...values.members, id] : values.members.filter((other) => other !== id) });
  return (
    <Dialog open onClose={onClose} title={team ? t('editTeam') : t('newTeam')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        {!team && (
          <TextField
            label={t('teamKey')}
            hint={t('teamKeyHint')}
            value={values.key}
            placeholder={keyOf(values.name)}
            errors={sending.errorsOf('key')}
            onChange={(event) => change({ key: event.target.value.toUpperCase() })}
          />
        )}
        <fieldset className={styles.checks}>
          <legend className="visually-hidden">{t('members')}</legend>
          {people?.map((person) => (
            <CheckField
              key={person.userId}
              label={
                <>
                  <Avatar name={person.displayName} size={16} decorative />
                  &nbsp;{plain(person.displayName)}
                </>
              }
              checked={values.members.includes(person.userId)}
              onChange={(event) => toggle(person.userId, event.target.checked)}
            />
          ))}
        </fieldset>
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={sending.busy} disabled={!changed}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
