import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/app/access';
import { useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { playbooksQuery } from '@/data/factory';
import type { WikiEntry } from '@/data/wiki';
import { Button, IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { AccessDialog } from './AccessDialog';
import { DeletePage, MovePageDialog } from './dialogs';
import type { OfPage } from './page';
import { t } from './strings';
import { isFactory } from './tree';

interface PageActionsProps extends OfPage {
  entries: readonly WikiEntry[];
  go: (path: string) => void;
}

/** What can be done with the page that is open. */
export function PageActions({ slug, project, page, entries, go }: PageActionsProps) {
  const { frozen, operate } = useAccess(slug, project);
  const [search, change] = useSearchParams();
  const [asked, ask] = useState<'move' | 'access' | 'delete'>();
  const { data: playbooks } = useQuery({
    ...playbooksQuery(slug, project),
    enabled: operate && isFactory(page.path),
  });
  const playbook = playbooks?.some((one) => one.pagePath === page.path) ?? false;
  const held = playbook ? t('heldByPlaybook') : frozen;
  const edit = () => change({ edit: '1', versions: '', diff: '', version: '' });
  const versions = () => change({ edit: '', versions: '1', version: '' });
  const read = () => change({ edit: '', versions: '', diff: '', version: '' });
  const reading = !search.edit && !search.versions && search.diff === undefined && !search.version;
  useCommands([
    ...(page.canEdit
      ? [
          {
            id: 'page.edit',
            title: t('edit'),
            group: 'general' as const,
            keys: 'e',
            refusal: frozen,
            run: edit,
          },
        ]
      : []),
    { id: 'page.versions', title: t('versions'), group: 'general', run: versions },
  ]);
  const entriesOf = (): MenuEntries => [
    { label: t('versions'), run: versions },
    ...(page.canEdit
      ? ([
          { label: t('access'), run: () => ask('access') },
          { label: t('move'), refusal: held, run: () => ask('move') },
          '-',
          { label: t('delete'), danger: true, refusal: held, run: () => ask('delete') },
        ] as MenuEntries)
      : []),
  ];
  const close = () => ask(undefined);
  const of = { slug, project, page, onClose: close };
  return (
    <>
      {!reading && (
        <Button size="small" onClick={read}>
          {t('read')}
        </Button>
      )}
      {page.canEdit && !search.edit && (
        <Button size="small" icon={Pencil} refusal={frozen} onClick={edit}>
          {t('edit')}
        </Button>
      )}
      <Menu
        align="end"
        entries={entriesOf}
        trigger={(props) => <IconButton {...props} icon={Ellipsis} size="small" label={t('more')} />}
      />
      {asked === 'move' && <MovePageDialog {...of} entries={entries} go={go} />}
      {asked === 'access' && <AccessDialog {...of} />}
      {asked === 'delete' && (
        <DeletePage {...of} below={entries.some((entry) => entry.path.startsWith(`${page.path}/`))} />
      )}
    </>
  );
}
