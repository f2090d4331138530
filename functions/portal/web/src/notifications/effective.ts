/** When somebody is told on a platform for which they chose nothing. Pure. */
import type { Default, Mode, Platform, Preference } from '@/data/notifications';

/** Without a choice a chat follows the organization's default, and then the mode of mail. */
export function effective(
  { kind, email }: Pick<Preference, 'kind' | 'email'>,
  platform: Platform,
  defaults: readonly Default[],
): Mode {
  return defaults.find((entry) => entry.kind === kind)?.[platform] ?? email;
}
