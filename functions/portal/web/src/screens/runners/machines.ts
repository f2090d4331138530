/** Machines, each with its registrations: one that is registered more than once is one machine. Pure. */
import type { Runner } from '@/api/types';
import { byName, plain } from '@/lib/text';

export interface Machine {
  id: string;
  /** What it calls itself; the name of its registration where it says nothing, or has only one. */
  name: string;
  /** Its registrations, by name. At least one. */
  runners: Runner[];
  online: boolean;
  /** Whether none of its registrations may take runs. */
  disabled: boolean;
  /** Whether a service manager started one of them. */
  service: boolean;
  harnesses: NonNullable<Runner['harnesses']>;
  /** The registration that was heard of last. */
  latest: Runner;
}

/** Those that may take runs first, then those that are online, then by name. */
export function machinesOf(runners: readonly Runner[]): Machine[] {
  const groups = new Map<string, Runner[]>();
  for (const runner of runners) {
    const id = runner.machineId ?? runner.id;
    groups.set(id, [...(groups.get(id) ?? []), runner]);
  }
  return [...groups]
    .map(([id, group]) => machineOf(id, group))
    .sort(
      (a, b) =>
        Number(a.disabled) - Number(b.disabled) ||
        Number(b.online) - Number(a.online) ||
        byName(a.name, b.name),
    );
}

function machineOf(id: string, group: Runner[]): Machine {
  const runners = [...group].sort((a, b) => byName(a.name, b.name));
  const usable = runners.filter(({ disabled }) => !disabled);
  const latest = runners.reduce((a, b) => ((b.lastSeenAt ?? '') > (a.lastSeenAt ?? '') ? b : a));
  return {
    id,
    name: plain((runners.length > 1 && latest.label) || latest.name),
    runners,
    online: usable.some(({ online }) => online),
    disabled: usable.length === 0,
    service: runners.some(({ service }) => service),
    harnesses: [...new Set(runners.flatMap(({ harnesses }) => harnesses ?? []))],
    latest,
  };
}
