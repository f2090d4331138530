import type { Sprint } from '@/api/types';
import { Chip } from '@/ui/Chip';
import { t } from './strings';

const TONES = { planned: 'neutral', active: 'accent', completed: 'ok' } as const;

export function SprintState({ sprint }: { sprint: Pick<Sprint, 'state'> }) {
  const known = sprint.state in TONES;
  return <Chip tone={TONES[sprint.state] ?? 'neutral'}>{known ? t(sprint.state) : sprint.state}</Chip>;
}
