import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { accountOfPage } from '@/api/account';
import { data, http } from '@/api/client';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem, Outside } from '@/app/Outside';
import { useSearchParams } from '@/app/params';
import { begin } from '@/app/session';
import { setupQuery } from '@/data/setup';
import { keyOf, slugOf } from '@/lib/text';
import { queries } from '@/store/queries';
import { Button } from '@/ui/Button';
import { CheckField, TextField } from '@/ui/Field';
import { RunnerStep } from './RunnerStep';
import { t } from './strings';

const STEPS = ['account', 'organization', 'project', 'runner'] as const;

/**
 * The first hour of an instance: account, organization, project, runner. Ends on a board with an item on it. The address
 * has what was made, so that whoever reloads goes on from there.
 */
export default function Setup() {
  const { data: setup } = useQuery(setupQuery);
  const [{ organization: slug = '', project = '' }, made] = useSearchParams();
  const [filled, setFilled] = useState(false);
  const [account, setAccount] = useState({ displayName: '', email: '', password: '' });
  const [organization, setOrganization] = useState({ name: '', slug: '' });
  const navigate = useNavigate();
  const step = !slug ? (filled ? 'organization' : 'account') : project ? 'runner' : 'project';
  const at = { at: STEPS.indexOf(step) + 1, of: STEPS.length };
  const board = () =>
    void navigate({
      to: '/o/$slug/p/$project/board',
      params: { slug, project },
      replace: true,
    });
  const begun = slug ? accountOfPage() !== undefined : filled;
  if (setup && !setup.needed && !begun) return <SetUpAlready />;
  switch (step) {
    case 'account':
      return (
        <AccountStep
          at={at}
          value={account}
          onDone={(value) => {
            setAccount(value);
            setFilled(true);
          }}
        />
      );
    case 'organization':
      return (
        <OrganizationStep
          at={at}
          account={account}
          value={organization}
          onChange={setOrganization}
          onBack={() => setFilled(false)}
          onDone={() => made({ organization: organization.slug })}
        />
      );
    case 'project':
      return <ProjectStep at={at} slug={slug} onDone={(key) => made({ project: key })} />;
    case 'runner':
      return <RunnerStep at={at} slug={slug} project={project} onDone={board} />;
  }
}

function SetUpAlready() {
  return (
    <Outside title={t('done')}>
      <Link to="/sign-in" className="link">
        {t('signIn')}
      </Link>
    </Outside>
  );
}

interface At {
  at: { at: number; of: number };
}

type Account = { displayName: string; email: string; password: string };

function AccountStep({ at, value, onDone }: At & { value: Account; onDone: (account: Account) => void }) {
  const [account, setAccount] = useState(value);
  const change = (field: keyof Account) => (event: { target: { value: string } }) =>
    setAccount({ ...account, [field]: event.target.value });
  return (
    <Outside title={t('account')} lead={t('accountLead')} step={at}>
      <form
        className={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          onDone(account);
        }}
      >
        <TextField
          label={t('name')}
          name="name"
          autoComplete="name"
          required
          autoFocus
          value={account.displayName}
          onChange={change('displayName')}
        />
        <TextField
          label={t('email')}
          name="email"
          type="email"
          autoComplete="username"
          required
          value={account.email}
          onChange={change('email')}
        />
        <TextField
          label={t('password')}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          hint={t('passwordHint')}
          value={account.password}
          onChange={change('password')}
        />
        <Button kind="primary" type="submit">
          {t('next')}
        </Button>
      </form>
    </Outside>
  );
}

interface OrganizationStepProps extends At {
  account: Account;
  value: { name: string; slug: string };
  onChange: (value: { name: string; slug: string }) => void;
  onBack: () => void;
  onDone: () => void;
}

function OrganizationStep({ at, account, value, onChange, onBack, onDone }: OrganizationStepProps) {
  const [own, setOwn] = useState(false);
  const sending = useSending(async () => {
    const me = await data(http.POST('/api/v1/auth/register', { body: { ...account, organization: value } }));
    queries.setQueryData(setupQuery.queryKey, (old) => ({ ...old, needed: false }));
    await begin(me);
    onDone();
  });
  const errors = (field: string) => sending.errorsOf(field) ?? sending.errorsOf(`organization.${field}`);
  const ofAccount = ['displayName', 'email', 'password'].flatMap((field) => sending.errorsOf(field) ?? []);
  return (
    <Outside title={t('organization')} lead={t('organizationLead')} step={at}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('organizationName')}
          required
          autoFocus
          value={value.name}
          errors={errors('name')}
          onChange={({ target }) =>
            onChange({ name: target.value, slug: own ? value.slug : slugOf(target.value) })
          }
        />
        <TextField
          label={t('slug')}
          required
          value={value.slug}
          errors={errors('slug')}
          hint={t('slugHint', { slug: value.slug || '…' })}
          onChange={({ target }) => {
            setOwn(true);
            onChange({ ...value, slug: target.value });
          }}
        />
        {ofAccount.length > 0 && <FormProblem error={new Error(ofAccount.join(' '))} />}
        <FormProblem error={sending.error} />
        <div className={form.row}>
          <Button kind="primary" type="submit" busy={sending.busy}>
            {t('next')}
          </Button>
          <Button kind="ghost" onClick={onBack}>
            {t('back')}
          </Button>
        </div>
      </form>
    </Outside>
  );
}

function ProjectStep({ at, slug, onDone }: At & { slug: string; onDone: (key: string) => void }) {
  const [name, setName] = useState('');
  const [own, setOwn] = useState<string>();
  const [brings, setBrings] = useState(false);
  const navigate = useNavigate();
  const key = own ?? keyOf(name);
  const sending = useSending(async () => {
    const project = await data(
      http.POST('/api/v1/orgs/{slug}/projects', { params: { path: { slug } }, body: { name, key } }),
    );
    if (brings) {
      await navigate({ to: `/o/${slug}/p/${project.key}/settings/import` as never, replace: true });
      return;
    }
    const sample = { type: 'task' as const, title: t('sampleTitle'), body: t('sampleBody'), assignee: '@me' };
    await data(
      http.POST('/api/v1/orgs/{slug}/projects/{key}/items', {
        params: { path: { slug, key: project.key } },
        body: sample,
      }),
    );
    onDone(project.key);
  });
  return (
    <Outside title={t('project')} lead={t('projectLead')} step={at}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('projectName')}
          required
          autoFocus
          value={name}
          errors={sending.errorsOf('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t('key')}
          required
          value={key}
          errors={sending.errorsOf('key')}
          hint={t('keyHint', { key: key || '…' })}
          onChange={({ target }) => setOwn(target.value.toUpperCase())}
        />
        <CheckField
          label={t('brings')}
          checked={brings}
          onChange={({ target }) => setBrings(target.checked)}
        />
        <FormProblem error={sending.error} />
        <Button kind="primary" type="submit" busy={sending.busy}>
          {t('next')}
        </Button>
      </form>
    </Outside>
  );
}
