import { useRef, useState } from 'react';
import { data, http } from '@/api/client';
import { ProblemError } from '@/api/problem';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import { bring, type Came, nothing, type Wanted } from './import/bringing';
import { Choose, noChoice, wantedOf } from './import/Choose';
import { pack, tooLarge } from './import/files';
import { Outcome } from './import/Outcome';
import { type Found, type Mapping, noMapping, Preview } from './import/Preview';
import { t } from './import/strings';
import type { OfProject } from './section';

/** Brings work from another tracker: what would come, what its words become here, and then it comes. */
export default function Import({ slug, project, frozen }: OfProject) {
  const [choice, choose] = useState(noChoice);
  const [mapping, map] = useState<Mapping>(noMapping);
  const [wanted, want] = useState<Wanted>();
  const [found, find] = useState<Found>();
  const [came, come] = useState<Came>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const stopping = useRef<AbortController>(undefined);
  const sending = useSending(async () => {
    come(undefined);
    const files = await pack(choice.files);
    if (tooLarge(choice.files, files)) throw refused(t('tooLarge'));
    const body = { ...wantedOf(choice), files, mapping };
    const params = { path: { slug, key: project } };
    find(await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/import/preview', { params, body })));
    want(body);
  });
  const change = (part: Partial<typeof choice>) => {
    choose({ ...choice, ...part });
    if (part.source || part.files) {
      find(undefined);
      come(undefined);
      map(noMapping());
    }
  };
  const run = async (so: Came) => {
    if (!wanted) return;
    stopping.current = new AbortController();
    setBusy(true);
    setError(undefined);
    come(so);
    await bring(slug, project, { ...wanted, mapping }, so, come, stopping.current.signal).catch(setError);
    setBusy(false);
    await refresh(['labels', slug, project], ['milestones', slug, project], ['sprints', slug, project]);
  };
  return (
    <>
      <Section title={t('title')} about={t('about')}>
        <Choose
          choice={choice}
          change={change}
          sending={sending}
          disabled={busy}
          frozen={frozen}
          again={found !== undefined}
        />
      </Section>
      {found && !came && (
        <Preview slug={slug} project={project} found={found} mapping={mapping} change={map}>
          <div>
            <Button kind="primary" refusal={frozen} onClick={() => void run(nothing(found.records))}>
              {t('import', { n: found.found.items ?? 0 })}
            </Button>
          </div>
        </Preview>
      )}
      {found && came && (
        <Outcome
          slug={slug}
          project={project}
          found={found}
          came={came}
          busy={busy}
          error={error}
          stop={() => stopping.current?.abort()}
          goOn={() => void run(came)}
        />
      )}
    </>
  );
}

/** A refusal of the files, as the service would say it. */
function refused(why: string): ProblemError {
  return new ProblemError({ status: 413, title: why, errors: { files: [why] } } as never);
}
