import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bell, BellOff, Ellipsis, FolderInput, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '@/commands/registry';
import { useMe, useOrganization } from '@/data/me';
import { projectsQuery } from '@/data/projects';
import { deleteItem, deleteRefusal, mayDelete } from '@/items/deletion';
import { t as deletionT } from '@/items/deletion-strings';
import { copy } from '@/items/selection';
import { t as items } from '@/items/strings';
import { projectOf, transferRefusal } from '@/items/transfer';
import { t as transferT } from '@/items/transfer-strings';
import { plain } from '@/lib/text';
import { useMuteEntry } from '@/notifications/mutes';
import { IconButton } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Menu } from '@/ui/Menu';
import type { ItemContext } from './context';
import { t } from './strings';
import { TransferDialog } from './TransferDialog';

/** What is done with the whole item, more seldom than the rest. */
export function MoreMenu({ slug, project, graph, card, detail, access, frozen }: ItemContext) {
  const me = useMe();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const may = mayDelete(access, me.id, card);
  const refusal = deleteRefusal(card, me.id, frozen);
  const deletion = {
    label: deletionT('deleteItem'),
    icon: Trash2,
    danger: true,
    refusal,
    run: () => setAsking(true),
  };
  const [transferring, setTransferring] = useState(false);
  const { data: projects = [] } = useQuery(projectsQuery(slug));
  const others = projects.filter(({ key, archived }) => key !== project && !archived);
  const children = graph.cards().filter((other) => other.parent === card.key);
  const transfer = {
    label: transferT('transfer'),
    icon: FolderInput,
    refusal: transferRefusal(card, me.id, { children, frozen }),
    run: () => setTransferring(true),
  };
  const movable = access.write && others.length > 0;
  const organization = useOrganization(slug);
  const mute = useMuteEntry(
    { what: 'item', organizationId: organization?.id ?? '', key: card.key },
    card.key,
  );
  const copyKey = { label: items('copyKey'), run: () => void copy(card.key) };
  const copyBranch = { label: items('copyBranch'), run: () => void copy(branchOf({ card, detail })) };
  useCommands([
    { id: 'item.copy-key', title: copyKey.label, group: 'item', run: copyKey.run },
    { id: 'item.copy-branch', title: copyBranch.label, group: 'item', run: copyBranch.run },
    ...(mute ? [{ id: 'item.mute', title: mute.label, group: 'item' as const, run: mute.run }] : []),
    ...(may
      ? [{ id: 'item.delete', title: deletion.label, group: 'item' as const, refusal, run: deletion.run }]
      : []),
    ...(movable
      ? [
          {
            id: 'item.transfer',
            title: transfer.label,
            group: 'item' as const,
            refusal: transfer.refusal,
            run: transfer.run,
          },
        ]
      : []),
  ]);
  const run = async () => {
    await deleteItem({ slug, project }, card.key);
    void navigate({ to: '/o/$slug/p/$project/board', params: { slug, project } });
  };
  return (
    <>
      <Menu
        align="end"
        trigger={({ ref, ...props }) => (
          <IconButton {...props} ref={ref} icon={Ellipsis} size="small" label={t('more')} />
        )}
        entries={() => [
          copyKey,
          copyBranch,
          ...(mute ? [{ label: mute.label, icon: mute.muted ? Bell : BellOff, run: mute.run }] : []),
          ...(movable ? [transfer] : []),
          ...(may ? (['-', deletion] as const) : []),
        ]}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={deletionT('deleteTitle', { key: card.key })}
        action={deletionT('delete')}
        run={run}
      >
        <p>{plain(card.title)}</p>
        <p>{deletionT('deleteDetail')}</p>
      </Confirm>
      {transferring && (
        <TransferDialog
          place={{ slug, project }}
          card={card}
          projects={others}
          below={children}
          onDone={({ key }) => {
            const params = { slug, project: projectOf(key), item: key };
            void navigate({ to: '/o/$slug/p/$project/items/$item', params, replace: true });
          }}
          onClose={() => setTransferring(false)}
        />
      )}
    </>
  );
}

/** The branch that runs and `svc item branch` would make; until the item is read, what it begins with. */
export function branchOf({ card, detail }: Pick<ItemContext, 'card' | 'detail'>): string {
  return detail?.branch ?? card.key.toLowerCase();
}
