import { useQuery } from '@tanstack/react-query';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { type Default, defaultsQuery, type Kind, writeDefaults } from '@/data/notifications';
import { KindTable } from '@/notifications/KindTable';
import { GROUPS, PLATFORMS } from '@/notifications/kinds';
import { ModeSelect } from '@/notifications/ModeSelect';
import { kindName } from '@/notifications/names';
import { t as words } from '@/notifications/strings';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { SaveRow, useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import { t } from './notification-strings';
import type { OfOrganization } from './section';

const PLACES = ['email', ...PLATFORMS] as const;

/** What members are told who chose nothing themselves. */
export default function Defaults({ slug, frozen }: OfOrganization) {
  const { data: defaults, error, refetch } = useQuery(defaultsQuery(slug));
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!defaults) return <Skeleton label={common('loading')} rows={12} />;
  return <Form key={JSON.stringify(defaults)} slug={slug} frozen={frozen} defaults={defaults} />;
}

type FormProps = Pick<OfOrganization, 'slug' | 'frozen'> & { defaults: readonly Default[] };

function Form({ slug, frozen, defaults }: FormProps) {
  const { values, change, changed } = useValues<Record<string, Default>>(rowsOf(defaults));
  const sending = useSending(async () => {
    const set = Object.values(values).filter((entry) => PLACES.some((place) => entry[place]));
    await writeDefaults(slug, set);
    await refresh(defaultsQuery(slug).queryKey);
    toast(common('saved'));
  });
  const columns = PLACES.map((place) => ({
    id: place,
    name: words(place),
    cell: (entry: Default, label: string) => (
      <ModeSelect
        label={label}
        value={entry[place] ?? null}
        none={t('noDefault')}
        refusal={frozen}
        onChange={(mode) => change({ [entry.kind]: { ...entry, [place]: mode } })}
      />
    ),
  }));
  return (
    <Section title={t('defaults')} about={t('defaultsAbout')}>
      <form className={form.form} onSubmit={sending.onSubmit}>
        <KindTable
          label={t('defaults')}
          entries={Object.values(values)}
          columns={columns}
          nameOf={kindName}
        />
        <SaveRow sending={sending} changed={changed} frozen={frozen} />
      </form>
    </Section>
  );
}

/** An entry for each kind, also for those that have no default, and those of a later service. */
function rowsOf(defaults: readonly Default[]): Record<string, Default> {
  const kinds: Kind[] = [...GROUPS.flatMap(({ kinds }) => [...kinds]), ...defaults.map(({ kind }) => kind)];
  const empty = { email: null, chat_1: null, chat_2: null, chat_3: null };
  return Object.fromEntries(
    kinds.map((kind) => [kind, { ...empty, ...defaults.find((entry) => entry.kind === kind), kind }]),
  );
}
