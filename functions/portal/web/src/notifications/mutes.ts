/** What a person does not want to hear of: an item, a project, an agent. */
import { useQuery } from '@tanstack/react-query';
import { type Mute, settingsQuery, writeSettings } from '@/data/notifications';
import { queries } from '@/store/queries';
import { toast, toastProblem } from '@/ui/toasts';
import { t } from './mute-strings';

export function isSame(a: Mute, b: Mute): boolean {
  return (
    a.what === b.what &&
    (a.what === 'agent' ? a.agentId === b.agentId : a.organizationId === b.organizationId && a.key === b.key)
  );
}

/** Mutes something, or hears of it again. The list is read anew before: it is written whole. */
export async function setMuted(mute: Mute, muted: boolean, name: string): Promise<void> {
  try {
    const { mutes } = await queries.fetchQuery({ ...settingsQuery, staleTime: 0 });
    const others = mutes.filter((other) => !isSame(other, mute));
    const written = await writeSettings({ mutes: muted ? [...others, mute] : others });
    queries.setQueryData(settingsQuery.queryKey, written);
    const back = { label: t('undo'), run: () => void setMuted(mute, !muted, name) };
    toast(t(muted ? 'muted' : 'unmuted', { name }), { action: back });
  } catch (error) {
    toastProblem(error);
  }
}

interface MuteEntry {
  muted: boolean;
  label: string;
  run: () => void;
}

/** A menu's entry that mutes something, or hears of it again; nothing until it is known which. */
export function useMuteEntry(mute: Mute, name: string): MuteEntry | undefined {
  const { data: settings } = useQuery(settingsQuery);
  if (!settings) return undefined;
  const muted = settings.mutes.some((other) => isSame(other, mute));
  return {
    muted,
    label: t(muted ? 'unmute' : `mute_${mute.what as 'item'}`),
    run: () => void setMuted(mute, !muted, name),
  };
}
