import { useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { workflowQuery } from '@/data/projects';
import { refinementSettingsQuery } from '@/data/settings';
import { SelectField, TextArea } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

type Settings = components['schemas']['RefinementSettings'];

const TEXTS = ['productDescription', 'ticketInstructions', 'namingConventions', 'platforms'] as const;

/** What an agent is told when it refines tickets, and where confirmed ones go. */
export default function Refinement({ slug, project, frozen }: OfProject) {
  const { data: settings, error, refetch } = useQuery(refinementSettingsQuery(slug, project));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!settings) return <Skeleton label={common('loading')} rows={8} />;
  return (
    <RefinementForm
      key={settings.version}
      slug={slug}
      project={project}
      settings={settings}
      frozen={frozen}
    />
  );
}

function RefinementForm({
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
  const { data: workflow } = useQuery(workflowQuery(slug, project));
  const { values, change, changed } = useValues({
    productDescription: settings.productDescription ?? '',
    ticketInstructions: settings.ticketInstructions ?? '',
    namingConventions: settings.namingConventions ?? '',
    platforms: settings.platforms ?? '',
    refinedState: settings.refinedState ?? '',
  });
  const sending = useSending(async () => {
    const body = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value || null]));
    await data(
      http.PATCH('/api/v1/orgs/{slug}/projects/{key}/refinement-settings', {
        params: { path: { slug, key: project } },
        body: { version: settings.version, ...body },
      }),
    );
    await refresh(['refinement-settings', slug, project]);
    toast(common('saved'));
  });
  return (
    <Section title={t('instructions')} about={t('refinementAbout')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        {TEXTS.map((name) => (
          <TextArea
            key={name}
            label={t(name)}
            hint={t(`${name}_hint`)}
            rows={4}
            disabled={frozen !== undefined}
            value={values[name]}
            errors={sending.errorsOf(name)}
            onChange={(event) => change({ [name]: event.target.value })}
          />
        ))}
        <SelectField
          label={t('refinedState')}
          value={values.refinedState}
          disabled={frozen !== undefined}
          errors={sending.errorsOf('refinedState')}
          onChange={(event) => change({ refinedState: event.target.value })}
        >
          <option value="">{t('noState')}</option>
          {workflow?.states.map((state) => (
            <option key={state.name} value={state.name}>
              {state.name}
            </option>
          ))}
        </SelectField>
        <SaveRow sending={sending} changed={changed} frozen={frozen} />
      </form>
    </Section>
  );
}
