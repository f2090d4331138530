import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import { useAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { agentsQuery, playbooksQuery } from '@/data/factory';
import { codeHostQuery, factorySettingsQuery } from '@/data/settings';
import { choosable, named } from '@/deletion/named';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { SelectField, TextField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

type Settings = components['schemas']['FactorySettings'];
type Ref = components['schemas']['Ref'];

/** Where the repository is, and what runs begin with. */
export default function Factory({ slug, project, frozen }: OfProject) {
  const { data: settings, error, refetch } = useQuery(factorySettingsQuery(slug, project));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!settings) return <Skeleton label={common('loading')} rows={8} />;
  return (
    <FactoryForm key={settings.version} slug={slug} project={project} settings={settings} frozen={frozen} />
  );
}

function FactoryForm({
  slug,
  project,
  settings,
  frozen,
}: {
  slug: string;
  project: string;
  settings: Settings;
  frozen: string | undefined;
}) {
  const { data: agents } = useQuery(agentsQuery(slug));
  const { data: playbooks } = useQuery(playbooksQuery(slug, project));
  const { values, change, changed } = useValues({
    repositorySource: settings.repositorySource,
    repository: settings.repository ?? '',
    pathHint: settings.pathHint ?? '',
    defaultBranch: settings.defaultBranch,
    defaultAgent: settings.defaultAgent?.id ?? '',
    defaultPlaybook: settings.defaultPlaybook?.id ?? '',
  });
  const sending = useSending(async () => {
    const hosted = values.repositorySource === 'codeHost';
    const body = {
      version: settings.version,
      repositorySource: values.repositorySource,
      defaultBranch: values.defaultBranch.trim(),
      pathHint: values.pathHint.trim() || null,
      defaultAgent: values.defaultAgent || null,
      defaultPlaybook: values.defaultPlaybook || null,
      ...(hosted ? { repository: values.repository.trim() } : {}),
    };
    const params = { path: { slug, key: project } };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/factory-settings', { params, body }));
    await refresh(['factory-settings', slug, project], ['playbooks', slug, project]);
    toast(common('saved'));
  });
  const text = (name: 'repository' | 'pathHint' | 'defaultBranch') => ({
    value: values[name],
    disabled: frozen !== undefined,
    errors: sending.errorsOf(name),
    spellCheck: false,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [name]: event.target.value }),
  });
  return (
    <form className={form.form} onSubmit={sending.onSubmit}>
      <Section title={t('repository')} about={t('repositoryAbout')}>
        <SelectField
          label={t('source')}
          value={values.repositorySource}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('repositorySource')}
          onChange={(event) =>
            change({ repositorySource: event.target.value as Settings['repositorySource'] })
          }
        >
          <option value="runnerLocal">{t('source_runnerLocal')}</option>
          <option value="codeHost">{t('source_codeHost')}</option>
        </SelectField>
        {values.repositorySource === 'codeHost' ? (
          <>
            <TextField
              label={t('repositoryName')}
              hint={t('repositoryNameHint')}
              required
              {...text('repository')}
            />
            <HostState slug={slug} />
          </>
        ) : (
          <TextField label={t('pathHint')} hint={t('pathHintHint')} {...text('pathHint')} />
        )}
        <TextField label={t('defaultBranch')} required {...text('defaultBranch')} />
      </Section>
      <Section title={t('defaults')} about={t('defaultsAbout')}>
        <SelectField
          label={t('defaultAgent')}
          value={values.defaultAgent}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('defaultAgent')}
          onChange={(event) => change({ defaultAgent: event.target.value })}
        >
          <option value="">{t('noDefault')}</option>
          {options(
            agents?.filter((agent) => !agent.disabled || agent.id === values.defaultAgent),
            settings.defaultAgent,
          )}
        </SelectField>
        <SelectField
          label={t('defaultPlaybook')}
          value={values.defaultPlaybook}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('defaultPlaybook')}
          onChange={(event) => change({ defaultPlaybook: event.target.value })}
        >
          <option value="">{t('noDefault')}</option>
          {options(playbooks, settings.defaultPlaybook)}
        </SelectField>
      </Section>
      <SaveRow sending={sending} changed={changed} frozen={frozen} />
    </form>
  );
}

/** Whether the organization is connected with a code host, which a hosted repository needs. */
function HostState({ slug }: { slug: string }) {
  const { administer } = useAccess(slug);
  const { data: host } = useQuery({ ...codeHostQuery(slug), enabled: administer });
  if (!host) return null;
  if (host.connection)
    return <p className="meta">{t('hostConnected', { account: plain(host.connection.account) })}</p>;
  return (
    <p className="meta">
      {t('hostMissing')}{' '}
      <Link {...address(`/o/${slug}/settings/code-hosting`)} className="link">
        {t('hostConnect')}
      </Link>
    </p>
  );
}

/** What there is to choose, and the default of before though it was deleted. */
function options(there: readonly Ref[] | undefined, before: Ref | null) {
  const kept = named(before?.id, there, before ? [before] : [], '');
  return choosable(there, kept).map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}
