import { useQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { Suspense, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { SavedView } from '@/api/types';
import { useAccess } from '@/app/access';
import { useCommands } from '@/commands/registry';
import { act } from '@/data/act';
import { viewsQuery } from '@/data/views';
import { addressOf, isSame, kept, type Listed, listedOf } from '@/filter/listed';
import { lazyPart } from '@/lib/parts';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { changeView } from './changes';
import { t } from './strings';
import styles from './views.module.css';

const ViewDialogs = lazyPart(() => import('./ViewDialogs'));

export interface ViewsMenuProps {
  slug: string;
  /** The project whose items are shown; none for those of all projects. */
  project: string | undefined;
  listed: Listed;
  /** The view that was opened last, by its id. */
  opened: string | undefined;
  /** Whether the filter has a wrong term. */
  wrong: boolean;
  onSearch: (next: Record<string, string | undefined>) => void;
}

/** The views of a project or an organization: opens one, saves what is shown as one. */
export default function ViewsMenu({ slug, project, listed, opened, wrong, onSearch }: ViewsMenuProps) {
  const [wanted, setWanted] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const query = viewsQuery(slug, project);
  const { data: views, error } = useQuery({ ...query, enabled: wanted || opened !== undefined });
  const { frozen } = useAccess(slug, project);
  const nothing = Object.values(kept(listed)).every((value) => !value);
  const last = views?.find((view) => view.id === opened);
  const same = last !== undefined && isSame(listedOf(last), listed);
  // Who cleared the filter has left the view.
  const current = same || !nothing ? last : undefined;
  const refusal = frozen ?? (wrong ? t('wrongFilter') : undefined);
  const saving = refusal ?? (nothing ? t('nothing') : undefined);
  const open = (view: SavedView) =>
    onSearch(project === undefined ? addressOf(view) : { ...searchOf(view), view: view.id });
  useCommands([
    { id: 'view.save', title: t('save'), group: 'view', refusal: saving, run: () => setDialog('save') },
    { id: 'view.manage', title: t('manage'), group: 'view', run: () => setDialog('manage') },
  ]);
  const entries = (): MenuEntries => {
    const group = (shared: boolean) => (views ?? []).filter((view) => view.shared === shared);
    const list = (heading: string, some: SavedView[]): MenuEntries =>
      some.length === 0
        ? []
        : [
            { heading },
            ...some.map((view) => ({
              id: view.id,
              label: plain(view.name),
              checked: view.id === opened && same,
              run: () => open(view),
            })),
            '-',
          ];
    return [
      ...(views ? [] : [{ heading: error ? problemOf(error).title : t('loading') }]),
      ...list(t('own'), group(false)),
      ...list(t('shared'), group(true)),
      ...(current?.canEdit && !same
        ? [
            {
              label: t('saveChanges', { name: plain(current.name) }),
              refusal,
              run: () => void act(() => changeView({ slug, project }, current, { listed }), query.queryKey),
            },
          ]
        : []),
      { label: t('save'), refusal: saving, run: () => setDialog('save') },
      { label: t('manage'), run: () => setDialog('manage') },
    ];
  };
  const name = current && plain(current.name);
  return (
    <>
      <Menu
        align="end"
        entries={entries}
        trigger={({ onPointerEnter, onClick, ...props }) => (
          <Button
            {...props}
            kind="ghost"
            size="small"
            icon={Bookmark}
            className={styles.trigger ?? ''}
            onFocus={() => setWanted(true)}
            onPointerEnter={(event) => {
              setWanted(true);
              onPointerEnter?.(event);
            }}
            onClick={(event) => {
              setWanted(true);
              onClick?.(event);
            }}
          >
            <span className="truncate">{name ? t(same ? 'current' : 'changed', { name }) : t('views')}</span>
          </Button>
        )}
      />
      {dialog && (
        <Suspense>
          <ViewDialogs
            slug={slug}
            project={project}
            listed={listed}
            begin={dialog}
            onOpen={open}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** What a board or list of a project takes of a view: how it is shown stays as it is. */
function searchOf(view: SavedView) {
  const { filter, q, sort } = listedOf(view);
  return { filter, q, sort };
}
