/** What mentions of agents in a text would start if it were sent, as the service says. */
import { useQuery } from '@tanstack/react-query';
import type { PreviewedMention } from '@/api/types';
import type { Access } from '@/app/access';
import { mentionPreviewQuery, playbooksQuery } from '@/data/factory';
import { useSettled } from '@/lib/settled';
import { plain } from '@/lib/text';
import { t } from './mention-strings';

interface Where {
  slug: string;
  project: string;
  item: string;
  access: Access;
}

/** A sentence for each agent that a text mentions; nothing where it mentions none. */
export function useMentionEffect(
  { slug, project, item, access }: Where,
  text: string,
  replyTo?: string,
): string | undefined {
  const body = useSettled(text.trim(), 400);
  // An item that the service does not know yet cannot be asked about.
  const mentions = text.includes('@') && body.includes('@') && !item.startsWith('~');
  const asked = { body, ...(replyTo && { replyTo }) };
  const { data: preview } = useQuery({ ...mentionPreviewQuery(slug, item, asked), enabled: mentions });
  const { data: playbooks } = useQuery({
    ...playbooksQuery(slug, project),
    enabled: mentions && access.operate,
  });
  const agents = mentions ? (preview?.agents ?? []) : [];
  const playbook = playbooks?.find((candidate) => candidate.projectDefault)?.name;
  return agents.map((one) => effectOf(one, playbook)).join(' ') || undefined;
}

/** What one mention does. */
export function effectOf({ agent, effect, reason }: PreviewedMention, playbook: string | undefined): string {
  const name = plain(agent.name);
  const why = plain(reason ?? '');
  switch (effect) {
    case 'starts':
      return playbook
        ? t('starts', { playbook: plain(playbook), agent: name })
        : t('startsPlain', { agent: name });
    case 'waits':
      return t('startsLater', { agent: name, why }).trim();
    case 'refused':
      return t('startsNothing', { agent: name, why }).trim();
    default:
      return t('onlyNotifies', { agent: name, why }).trim();
  }
}
