import type { Workflow } from '@/api/types';
import type { Access } from '@/app/access';
import type { Card } from '@/store/feed';
import { Button } from '@/ui/Button';
import { moveCard, type Place } from './actions';
import { isOver, nextState } from './states';
import { t } from './strings';

interface AcceptProps {
  place: Place;
  card: Card;
  workflow: Workflow;
  access: Access;
}

/** Accepts what an agent did: moves its item on. Nothing where the work is over or the workflow leads nowhere. */
export function AcceptButton({ place, card, workflow, access }: AcceptProps) {
  const next = nextState(workflow, card.state);
  if (!access.move || !next || isOver(card)) return null;
  return (
    <Button
      size="small"
      kind="primary"
      refusal={access.frozen}
      onClick={() => moveCard(place, workflow, card, { state: next })}
    >
      {t('accept', { state: next })}
    </Button>
  );
}
