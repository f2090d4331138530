import type { Item, Workflow } from '@/api/types';
import type { Access } from '@/app/access';
import { projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { Button } from '@/ui/Button';
import { moveCard } from './actions';
import { held } from './held';
import { isOver, nextState } from './states';
import { t } from './strings';

interface AcceptProps {
  slug: string;
  item: Item | Card;
  workflow: Workflow;
  access: Access;
  /** In a row: where it goes is told to who points at it. */
  short?: boolean;
}

/** Accepts what an agent did: moves its item on. Nothing where the work is over or the workflow leads nowhere. */
export function AcceptButton({ slug, item, workflow, access, short = false }: AcceptProps) {
  const state = nextState(workflow, item.state);
  if (!access.move || !state || isOver(item)) return null;
  const label = t('accept', { state });
  return (
    <Button
      size="small"
      kind="primary"
      refusal={access.frozen}
      {...(short && { 'data-tip': label })}
      onClick={() => moveCard({ slug, project: projectOf(item.key) }, workflow, held(slug, item), { state })}
    >
      {short ? t('acceptShort') : label}
    </Button>
  );
}
