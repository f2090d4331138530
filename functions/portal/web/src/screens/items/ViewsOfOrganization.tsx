import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '@/commands/registry';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { Menu } from '@/ui/Menu';
import type { MenuEntries } from '@/ui/menu-entries';
import { toast } from '@/ui/toasts';
import { t } from './strings';
import { addressOf, keptOf, type OrgView, shows, useOrgViews } from './views';

interface ViewsProps {
  slug: string;
  search: Partial<Record<string, string>>;
  onSearch: (next: Record<string, string | undefined>) => void;
}

/** The views of an organization: opens one, keeps what is shown as one. */
export function ViewsOfOrganization({ slug, search, onSearch }: ViewsProps) {
  const [views, setViews] = useOrgViews(slug);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const current = views.find(({ id }) => id === search.view);
  const same = current !== undefined && shows(current, search);
  const refusal = Object.keys(keptOf(search)).length === 0 ? t('nothing') : undefined;
  const ask = () => {
    setName('');
    setNaming(true);
  };
  useCommands([{ id: 'view.save', title: t('save'), group: 'view', refusal, run: ask }]);
  const remove = (view: OrgView) => {
    setViews(views.filter(({ id }) => id !== view.id));
    onSearch({ view: undefined });
    toast(t('removed', { name: plain(view.name) }));
  };
  const keep = () => {
    if (!name.trim()) return;
    const view = { id: crypto.randomUUID(), slug, name: plain(name.trim()), search: keptOf(search) };
    setViews([...views, view]);
    onSearch({ view: view.id });
    setNaming(false);
  };
  const entries = (): MenuEntries => [
    ...(views.length > 0 ? [{ heading: t('mine') }] : []),
    ...views.map((view) => ({
      id: view.id,
      label: plain(view.name),
      checked: view.id === current?.id && same,
      run: () => onSearch(addressOf(view)),
    })),
    ...(views.length > 0 ? (['-'] as const) : []),
    ...(current && !same
      ? [
          {
            label: t('saveChanges', { name: plain(current.name) }),
            run: () =>
              setViews(
                views.map((view) => (view.id === current.id ? { ...view, search: keptOf(search) } : view)),
              ),
          },
        ]
      : []),
    { label: t('save'), refusal, run: ask },
    ...(current
      ? [{ label: t('remove', { name: plain(current.name) }), danger: true, run: () => remove(current) }]
      : []),
  ];
  return (
    <>
      <Menu
        align="end"
        entries={entries}
        trigger={(props) => (
          <Button {...props} kind="ghost" size="small" icon={Bookmark}>
            <span className="truncate">
              {current ? t(same ? 'view' : 'changed', { name: plain(current.name) }) : t('views')}
            </span>
          </Button>
        )}
      />
      <Dialog
        open={naming}
        onClose={() => setNaming(false)}
        title={t('saveTitle')}
        foot={
          <>
            <Button onClick={() => setNaming(false)}>{t('cancel')}</Button>
            <Button kind="primary" onClick={keep}>
              {t('saveTitle')}
            </Button>
          </>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep();
          }}
        >
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            autoFocus
            required
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <button type="submit" hidden />
        </form>
      </Dialog>
    </>
  );
}
