/** When somebody is told on a platform for which they chose nothing. Pure. */
import type { Default, Mode, Preference } from '@/data/notifications';
import type { OwnPlatform } from './kinds';

/** Without a choice a chat follows the organization's default, and then the mode of mail. */
export function effective(
  { kind, email }: Pick<Preference, 'kind' | 'email'>,
  platform: OwnPlatform,
  defaults: readonly Default[],
): Mode {
  return defaults.find((entry) => entry.kind === kind)?.[platform] ?? email;
}
