import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Mail, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { Invitation, InvitationPreset } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useCommands } from '@/commands/registry';
import { act, refresh } from '@/data/act';
import { projectsQuery } from '@/data/projects';
import { invitationsQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { exactly } from '@/lib/times';
import { Button, IconButton } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { CopyField } from '@/ui/CopyField';
import { DateTime } from '@/ui/DateTime';
import { Dialog } from '@/ui/Dialog';
import { CheckField, SelectField, TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toastProblem } from '@/ui/toasts';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfOrganization } from './section';
import { t } from './strings';

const PRESETS: InvitationPreset[] = ['member', 'admin', 'guest', 'stakeholder'];
const TONES = { pending: 'accent', accepted: 'ok', expired: 'warn', revoked: 'neutral' } as const;

/** Who was asked to join, and asking somebody. */
export default function Invitations({ slug, frozen }: OfOrganization) {
  const { data: invitations, error, refetch } = useQuery(invitationsQuery(slug));
  const [inviting, invite] = useState(false);
  const [shown, show] = useState<Invitation>();
  useCommands([
    { id: 'invitation.new', title: t('invite'), group: 'general', refusal: frozen, run: () => invite(true) },
  ]);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!invitations) return <Skeleton label={common('loading')} rows={4} height={44} />;
  const button = (
    <Button size="small" kind="primary" icon={Plus} refusal={frozen} onClick={() => invite(true)}>
      {t('invite')}
    </Button>
  );
  return (
    <Section
      title={t('invitationCount', { n: invitations.length })}
      about={t('invitationsAbout')}
      actions={button}
    >
      <div className={styles.card}>
        {invitations.length === 0 && <p className={styles.empty}>{t('noInvitation')}</p>}
        <Rows label={t('invitations')}>
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              slug={slug}
              invitation={invitation}
              frozen={frozen}
              show={show}
            />
          ))}
        </Rows>
      </div>
      {inviting && (
        <Invite
          slug={slug}
          onClose={() => invite(false)}
          onMade={(made) => {
            invite(false);
            if (made.link) show(made);
          }}
        />
      )}
      {shown?.link && <LinkDialog invitation={shown} onClose={() => show(undefined)} />}
    </Section>
  );
}

interface InvitationRowProps {
  slug: string;
  invitation: Invitation;
  frozen: string | undefined;
  show: (invitation: Invitation) => void;
}

function InvitationRow({ slug, invitation, frozen, show }: InvitationRowProps) {
  const params = { path: { slug, id: invitation.id } };
  const open = invitation.state === 'pending' || invitation.state === 'expired';
  const resend = async (byHand = false) => {
    try {
      const query = byHand ? { byHand } : {};
      const sent = await data(
        http.POST('/api/v1/orgs/{slug}/invitations/{id}/resend', { params: { ...params, query } }),
      );
      await refresh(['invitations', slug]);
      if (sent.link) show(sent);
    } catch (error) {
      toastProblem(error);
    }
  };
  const withdraw = () =>
    void act(
      () => data(http.DELETE('/api/v1/orgs/{slug}/invitations/{id}', { params })),
      ['invitations', slug],
    );
  return (
    <Row
      dimmed={!open}
      glyph={<Icon of={Mail} size={14} />}
      title={invitation.email}
      tags={
        <>
          <Chip tone={TONES[invitation.state as keyof typeof TONES] ?? 'neutral'}>
            {t(`state_${invitation.state}` as 'state_pending')}
          </Chip>
          {invitation.delivery === 'refused' && <Chip tone="bad">{t('mailRefused')}</Chip>}
          {invitation.delivery === 'waiting' && invitation.mailError && (
            <Chip tone="bad">{t('mailFails')}</Chip>
          )}
        </>
      }
      detail={[
        t(`preset_${invitation.preset}` as 'preset_member'),
        invitation.project,
        t('by', { who: plain(invitation.invitedBy.name) }),
        open && invitation.mailError && t('mailSaid', { why: plain(invitation.mailError) }),
      ]
        .filter(Boolean)
        .join(' · ')}
      facts={[<DateTime key="at" at={invitation.createdAt} />]}
      actions={
        open && (
          <Menu
            align="end"
            entries={() => [
              invitation.link
                ? { label: t('showLink'), run: () => show(invitation) }
                : { label: t('makeLink'), refusal: frozen, run: () => void resend(true) },
              { label: t('resend'), refusal: frozen, run: () => void resend() },
              { label: t('withdraw'), danger: true, refusal: frozen, run: withdraw },
            ]}
            trigger={(props) => (
              <IconButton
                {...props}
                icon={Ellipsis}
                size="small"
                label={t('actionsFor', { name: invitation.email })}
              />
            )}
          />
        )
      }
    />
  );
}

function Invite({
  slug,
  onClose,
  onMade,
}: {
  slug: string;
  onClose: () => void;
  onMade: (made: Invitation) => void;
}) {
  const { data: projects } = useQuery(projectsQuery(slug));
  const living = projects?.filter((project) => !project.archived) ?? [];
  const { values, change } = useValues({
    email: '',
    preset: 'member' as InvitationPreset,
    project: '',
    canStartAiWork: false,
  });
  const stakeholder = values.preset === 'stakeholder';
  const sending = useSending(async () => {
    const project = values.project || (stakeholder ? living[0]?.key : undefined);
    const body = {
      email: values.email.trim(),
      preset: values.preset,
      ...(project ? { project } : {}),
      ...(values.preset === 'member' ? { canStartAiWork: values.canStartAiWork } : {}),
    };
    const made = await data(
      http.POST('/api/v1/orgs/{slug}/invitations', { params: { path: { slug } }, body }),
    );
    await refresh(['invitations', slug]);
    onMade(made);
  });
  return (
    <Dialog open onClose={onClose} title={t('invite')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('email')}
          type="email"
          required
          value={values.email}
          errors={sending.errorsOf('email')}
          onChange={(event) => change({ email: event.target.value })}
        />
        <SelectField
          label={t('preset')}
          hint={t(`about_${values.preset}` as 'about_member')}
          value={values.preset}
          errors={sending.errorsOf('preset')}
          onChange={(event) => change({ preset: event.target.value as InvitationPreset })}
        >
          {PRESETS.map((preset) => (
            <option key={preset} value={preset}>
              {t(`preset_${preset}` as 'preset_member')}
            </option>
          ))}
        </SelectField>
        {values.preset !== 'admin' && (
          <SelectField
            label={t('project')}
            value={values.project}
            errors={sending.errorsOf('project')}
            onChange={(event) => change({ project: event.target.value })}
          >
            {!stakeholder && <option value="">{t('noProject')}</option>}
            {living.map((project) => (
              <option key={project.key} value={project.key}>
                {plain(project.name)}
              </option>
            ))}
          </SelectField>
        )}
        {values.preset === 'member' && (
          <CheckField
            label={t('canStart')}
            hint={t('canStartHint')}
            checked={values.canStartAiWork}
            onChange={(event) => change({ canStartAiWork: event.target.checked })}
          />
        )}
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={sending.busy}>
            {t('send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The link of an invitation, where mail does not bring it. */
function LinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  return (
    <Dialog
      open
      stays
      onClose={onClose}
      title={t('linkTitle', { email: invitation.email })}
      foot={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <div className={form.form}>
        {invitation.mailError && <p>{t('mailSaid', { why: plain(invitation.mailError) })}</p>}
        <p>
          {t(invitation.mailError ? 'linkMeanwhile' : 'linkAbout', {
            until: invitation.expiresAt ? exactly(invitation.expiresAt) : '',
          })}
        </p>
        <CopyField label={t('link')} value={invitation.link ?? ''} lines />
      </div>
    </Dialog>
  );
}
