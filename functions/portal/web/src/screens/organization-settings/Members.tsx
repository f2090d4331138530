import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Member, OrgRole } from '@/api/types';
import { act, refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { membersQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfOrganization } from './section';
import { t } from './strings';

const ROLES: OrgRole[] = ['owner', 'admin', 'member', 'guest'];

/** Everyone in the organization: their role, and whether they may start AI work. */
export default function Members({ slug, organization, frozen }: OfOrganization) {
  const { data: members, error, refetch } = useQuery(membersQuery(slug));
  const [removing, remove] = useState<Member>();
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!members) return <Skeleton label={common('loading')} rows={6} height={44} />;
  return (
    <Section title={t('memberCount', { n: members.length })} about={t('membersAbout')}>
      <div className={styles.card}>
        <Rows label={t('members')}>
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              slug={slug}
              member={member}
              owner={organization.role === 'owner'}
              frozen={frozen}
              remove={() => remove(member)}
            />
          ))}
        </Rows>
      </div>
      {removing && <Remove slug={slug} member={removing} onClose={() => remove(undefined)} />}
    </Section>
  );
}

interface MemberRowProps {
  slug: string;
  member: Member;
  /** Whether the viewer is an Owner: only Owners make and change Owners. */
  owner: boolean;
  frozen: string | undefined;
  remove: () => void;
}

function MemberRow({ slug, member, owner, frozen, remove }: MemberRowProps) {
  const me = useMe();
  const name = plain(member.displayName);
  const params = { path: { slug, userId: member.userId } };
  const set = (body: { role?: OrgRole; canStartAiWork?: boolean }) =>
    void act(
      () =>
        data(
          http.PATCH('/api/v1/orgs/{slug}/members/{userId}', {
            params,
            body: { version: member.version, ...body },
          }),
        ),
      ['members', slug],
      ['me'],
    );
  const mayChange = !frozen && (owner || member.role !== 'owner');
  const inherent = member.role === 'owner' || member.role === 'admin';
  return (
    <Row
      glyph={<Avatar name={name} picture={member.avatarKey} size={24} decorative />}
      title={name}
      tags={member.userId === me.id && <Chip>{t('you')}</Chip>}
      detail={member.email}
      actions={
        <>
          {member.role !== 'guest' && (
            <label className={styles.switch} data-tip={inherent ? t('inherent') : undefined}>
              <input
                type="checkbox"
                checked={inherent || member.canStartAiWork}
                disabled={inherent || !mayChange}
                onChange={(event) => set({ canStartAiWork: event.target.checked })}
              />
              {t('canStart')}
            </label>
          )}
          <select
            className={styles.choice}
            aria-label={t('roleOf', { name })}
            value={member.role}
            disabled={!mayChange}
            onChange={(event) => set({ role: event.target.value as OrgRole })}
          >
            {ROLES.filter((role) => owner || role !== 'owner' || member.role === 'owner').map((role) => (
              <option key={role} value={role}>
                {t(`role_${role}` as 'role_owner')}
              </option>
            ))}
          </select>
          <Menu
            align="end"
            entries={() => [
              {
                label: t('remove'),
                danger: true,
                refusal: mayChange ? undefined : (frozen ?? t('ownersOnly')),
                run: remove,
              },
            ]}
            trigger={(props) => (
              <IconButton {...props} icon={Ellipsis} size="small" label={t('actionsFor', { name })} />
            )}
          />
        </>
      }
    />
  );
}

function Remove({ slug, member, onClose }: { slug: string; member: Member; onClose: () => void }) {
  const run = async () => {
    await data(
      http.DELETE('/api/v1/orgs/{slug}/members/{userId}', {
        params: { path: { slug, userId: member.userId } },
      }),
    );
    await refresh(['members', slug]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('removeTitle', { name: plain(member.displayName) })}
      action={t('remove')}
      run={run}
    >
      <p>{t('removeDetail')}</p>
    </Confirm>
  );
}
