import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { act, refresh } from '@/data/act';
import { projectMembersQuery } from '@/data/projects';
import { membersQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { SelectField } from '@/ui/Field';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

type ProjectMember = components['schemas']['ProjectMember'];
type Role = 'admin' | 'member';

/** Who is in the project, and as what. Owners and Admins of the organization see it anyway. */
export default function Members({ slug, project, may, frozen }: OfProject) {
  const { data: members, error, refetch } = useQuery(projectMembersQuery(slug, project));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!members) return <Skeleton label={common('loading')} rows={4} height={40} />;
  return (
    <>
      {may && !frozen && <Add slug={slug} project={project} members={members} />}
      <Section title={t('people', { n: members.length })} about={t('peopleAbout')}>
        <div className={styles.card}>
          {members.length === 0 && <p className={styles.empty}>{t('noPeople')}</p>}
          <Rows label={t('members')}>
            {members.map((member) => (
              <MemberRow
                key={member.userId}
                slug={slug}
                project={project}
                member={member}
                may={may && !frozen}
              />
            ))}
          </Rows>
        </div>
      </Section>
    </>
  );
}

function MemberRow({
  slug,
  project,
  member,
  may,
}: {
  slug: string;
  project: string;
  member: ProjectMember;
  may: boolean;
}) {
  const params = { path: { slug, key: project, userId: member.userId } };
  const name = plain(member.displayName);
  const key = ['project-members', slug, project];
  const set = (role: Role) =>
    void act(
      () =>
        data(
          http.PUT('/api/v1/orgs/{slug}/projects/{key}/members/{userId}', {
            params,
            body: { role, version: member.version },
          }),
        ),
      key,
    );
  const remove = () =>
    void act(() => data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/members/{userId}', { params })), key);
  return (
    <Row
      glyph={<Avatar name={name} size={24} decorative />}
      title={name}
      actions={
        may ? (
          <>
            <select
              className={styles.choice}
              aria-label={t('roleOf', { name })}
              value={member.role}
              onChange={(event) => set(event.target.value as Role)}
            >
              <option value="member">{t('member')}</option>
              <option value="admin">{t('admin')}</option>
            </select>
            <IconButton icon={X} size="small" label={t('removeMember', { name })} onClick={remove} />
          </>
        ) : (
          <Chip>{t(member.role)}</Chip>
        )
      }
    />
  );
}

function Add({
  slug,
  project,
  members,
}: {
  slug: string;
  project: string;
  members: readonly ProjectMember[];
}) {
  const { data: all } = useQuery(membersQuery(slug));
  const others = (all ?? []).filter((one) => !members.some((member) => member.userId === one.userId));
  const [user, setUser] = useState('');
  const [role, setRole] = useState<Role>('member');
  const sending = useSending(async () => {
    const params = { path: { slug, key: project, userId: user || others[0]?.userId || '' } };
    await data(http.PUT('/api/v1/orgs/{slug}/projects/{key}/members/{userId}', { params, body: { role } }));
    setUser('');
    await refresh(['project-members', slug, project]);
  });
  if (others.length === 0) return null;
  return (
    <Section title={t('addMember')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <div className={styles.triple}>
          <SelectField
            label={t('person')}
            value={user}
            errors={sending.errorsOf('userId')}
            onChange={(event) => setUser(event.target.value)}
          >
            {others.map((one) => (
              <option key={one.userId} value={one.userId}>
                {plain(one.displayName)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('role')}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          >
            <option value="member">{t('member')}</option>
            <option value="admin">{t('admin')}</option>
          </SelectField>
          <Button type="submit" kind="primary" busy={sending.busy}>
            {t('add')}
          </Button>
        </div>
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
      </form>
    </Section>
  );
}
