import { useNavigate } from '@tanstack/react-router';
import { Bell, BellOff, Download, Ellipsis, Trash2 } from 'lucide-react';
import { useCommands } from '@/commands/registry';
import { useOrganization } from '@/data/me';
import type { Listed } from '@/filter/listed';
import type { Place } from '@/items/actions';
import { useMuteEntry } from '@/notifications/mutes';
import { IconButton } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import type { MenuEntry } from '@/ui/menu-entries';
import { csvAddress } from './export';
import { t } from './strings';

interface ListMenuProps {
  place: Place;
  listed: Listed;
  /** Whether the viewer could have deleted something. */
  write: boolean;
  /** Why there is nothing to export. */
  refusal: string | undefined;
}

/** What else can be done with the list: export it, and see what was deleted. */
export function ListMenu({ place, listed, write, refusal }: ListMenuProps) {
  const navigate = useNavigate();
  const address = csvAddress(place, listed);
  const exported: MenuEntry = {
    label: t('export'),
    icon: Download,
    refusal,
    ...(refusal === undefined && { href: address }),
  };
  const bin = {
    label: t('deletedItems'),
    run: () => void navigate({ to: '/o/$slug/p/$project/deleted-items', params: place }),
  };
  const organization = useOrganization(place.slug);
  const mute = useMuteEntry(
    { what: 'project', organizationId: organization?.id ?? '', key: place.project },
    place.project,
  );
  useCommands([
    ...(mute ? [{ id: 'project.mute', title: mute.label, group: 'general' as const, run: mute.run }] : []),
    {
      id: 'list.export',
      title: t('export'),
      group: 'view',
      refusal,
      run: () => location.assign(address),
    },
    ...(write ? [{ id: 'list.deleted', title: bin.label, group: 'go' as const, run: bin.run }] : []),
  ]);
  return (
    <Menu
      align="end"
      trigger={({ ref, ...props }) => (
        <IconButton {...props} ref={ref} icon={Ellipsis} size="small" label={t('more')} />
      )}
      entries={() => [
        exported,
        ...(mute ? [{ label: mute.label, icon: mute.muted ? Bell : BellOff, run: mute.run }] : []),
        ...(write ? [{ ...bin, icon: Trash2 }] : []),
      ]}
    />
  );
}
