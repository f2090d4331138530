import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { tokensQuery } from '@/data/settings';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { CopyField, SecretOnce } from '@/ui/CopyField';
import { DateTime } from '@/ui/DateTime';
import { Dialog } from '@/ui/Dialog';
import { CheckField, SelectField, TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { mcpSnippet } from './mcp';
import { t } from './strings';

type Token = components['schemas']['Token'];
type Created = components['schemas']['CreatedToken'];
type Scope = 'read' | 'write' | 'admin' | 'mcp';

const SCOPES: Scope[] = ['read', 'write', 'admin', 'mcp'];
const DAY = 86_400_000;
const LIFETIMES = [30, 90, 365];

/** Tokens for programs that act as the person. */
export default function Tokens() {
  const { data: tokens, error, refetch } = useQuery(tokensQuery);
  const [creating, create] = useState(false);
  const [made, setMade] = useState<Created>();
  const [revoking, revoke] = useState<Token>();
  useCommands([{ id: 'token.new', title: t('newToken'), group: 'general', run: () => create(true) }]);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!tokens) return <Skeleton label={common('loading')} rows={4} height={44} />;
  const button = (
    <Button size="small" kind="primary" icon={Plus} onClick={() => create(true)}>
      {t('newToken')}
    </Button>
  );
  return (
    <Section title={t('tokenCount', { n: tokens.length })} about={t('tokensAbout')} actions={button}>
      <div className={styles.card}>
        {tokens.length === 0 && <p className={styles.empty}>{t('noToken')}</p>}
        <Rows label={t('tokens')}>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} revoke={() => revoke(token)} />
          ))}
        </Rows>
      </div>
      {creating && (
        <NewToken
          onClose={() => create(false)}
          onMade={(created) => {
            create(false);
            setMade(created);
          }}
        />
      )}
      {made && <Made created={made} onClose={() => setMade(undefined)} />}
      {revoking && <Revoke token={revoking} onClose={() => revoke(undefined)} />}
    </Section>
  );
}

function TokenRow({ token, revoke }: { token: Token; revoke: () => void }) {
  const over = token.expiresAt != null && Date.parse(token.expiresAt) < Date.now();
  const detail = [
    token.organization ?? t('allOrganizations'),
    token.expiresAt ? t(over ? 'expired' : 'expires', { at: dayOf(token.expiresAt) }) : t('neverExpires'),
  ].join(' · ');
  return (
    <Row
      dimmed={over}
      glyph={<Icon of={KeyRound} size={14} />}
      title={plain(token.name)}
      tags={token.scopes.map((scope) => (
        <Chip key={scope} tone={scope === 'admin' ? 'warn' : 'neutral'}>
          {scope}
        </Chip>
      ))}
      detail={detail}
      facts={[token.lastUsedAt ? <DateTime key="used" at={token.lastUsedAt} /> : t('neverUsed')]}
      actions={
        <Button size="small" onClick={revoke}>
          {t('revoke')}
        </Button>
      }
    />
  );
}

function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (created: Created) => void }) {
  const { organizations } = useMe();
  const { values, change } = useValues({
    name: '',
    scopes: ['read'] as Scope[],
    organization: '',
    days: '90',
  });
  const bound = values.organization || (values.scopes.includes('mcp') ? (organizations[0]?.slug ?? '') : '');
  const sending = useSending(async () => {
    const expiresAt =
      values.days === '' ? null : new Date(Date.now() + Number(values.days) * DAY).toISOString();
    const body = { name: values.name.trim(), scopes: values.scopes, organization: bound || null, expiresAt };
    const created = await data(http.POST('/api/v1/me/tokens', { body }));
    await refresh(['tokens']);
    onMade(created);
  });
  const toggle = (scope: Scope, on: boolean) =>
    change({ scopes: SCOPES.filter((one) => (one === scope ? on : values.scopes.includes(one))) });
  const wrong = sending.errorsOf('scopes');
  return (
    <Dialog open onClose={onClose} title={t('newToken')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          hint={t('tokenNameHint')}
          required
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <fieldset className={form.form}>
          <legend className="visually-hidden">{t('scopes')}</legend>
          {SCOPES.map((scope) => (
            <CheckField
              key={scope}
              label={scope}
              hint={t(`scope_${scope}`)}
              checked={values.scopes.includes(scope)}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
          ))}
        </fieldset>
        {wrong && <p role="alert">{wrong.join(' ')}</p>}
        <div className={styles.pair}>
          <SelectField
            label={t('organization')}
            hint={t('organizationHint')}
            value={bound}
            errors={sending.errorsOf('organization')}
            onChange={(event) => change({ organization: event.target.value })}
          >
            {!values.scopes.includes('mcp') && <option value="">{t('allOrganizations')}</option>}
            {organizations.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {plain(name)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('lifetime')}
            value={values.days}
            errors={sending.errorsOf('expiresAt')}
            onChange={(event) => change({ days: event.target.value })}
          >
            {LIFETIMES.map((days) => (
              <option key={days} value={days}>
                {t('days', { n: days })}
              </option>
            ))}
            <option value="">{t('noExpiry')}</option>
          </SelectField>
        </div>
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={sending.busy} disabled={values.scopes.length === 0}>
            {t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Made({ created, onClose }: { created: Created; onClose: () => void }) {
  const mcp = created.token.scopes.includes('mcp');
  return (
    <Dialog
      open
      stays
      wide={mcp}
      onClose={onClose}
      title={t('made', { name: plain(created.token.name) })}
      foot={<Button onClick={onClose}>{t('done')}</Button>}
    >
      <div className={form.form}>
        <SecretOnce label={t('token')} value={created.secret} />
        <p>{t('cliHint')}</p>
        <CopyField label={t('signIn')} value={`svc auth login --url ${location.origin}`} />
        {mcp && (
          <>
            <p>{t('mcpHint')}</p>
            <CopyField label="mcp.json" value={mcpSnippet(created.secret, location.origin)} lines />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const run = async () => {
    await data(http.DELETE('/api/v1/me/tokens/{id}', { params: { path: { id: token.id } } }));
    await refresh(['tokens']);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('revokeTitle', { name: plain(token.name) })}
      action={t('revoke')}
      run={run}
    >
      <p>{t('revokeDetail')}</p>
    </Confirm>
  );
}
