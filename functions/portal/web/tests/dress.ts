/** Fills the demo with something of every kind, so that every screen has what it shows. */
import type { Stage } from './harness';
import { PATIENCE } from './patience';

interface Keyed {
  key: string;
  version: number;
}
interface Identified {
  id: string;
}

const ORG = '/orgs/demo';
const DEMO = `${ORG}/projects/DEMO`;

const COLORS = { greeting: '#2f6fde', languages: '#8b5cf6', docs: '#0d9488', api: '#d97706' };

const TITLES = [
  'Remember the language between visits',
  'Names with accents are greeted twice, and on phones they are cut in the middle of a word',
  'Offer a dark theme',
  'Count how often people are greeted',
  'Speak the greeting aloud',
  'Greet groups of people at once',
  'Let people choose a nickname',
  'Say good evening after six',
];

/** Paths of what was made. */
export interface Dressed {
  run: string;
  failed: string;
  live: string;
  item: string;
  sprint: string;
  milestone: string;
  playbook: string;
}

/** Needs a runner that is at work. */
export async function dress({ service }: Stage): Promise<Dressed> {
  const call = <T>(method: string, path: string, body?: unknown) => service.api<T>(method, path, body);
  for (const [name, color] of Object.entries(COLORS))
    await call('POST', `${DEMO}/labels`, { name, color }).catch(() => {});
  const { id: me } = await call<Identified>('GET', '/me');
  const items: string[] = [];
  for (const [at, title] of TITLES.entries()) {
    const { key } = await call<Keyed>('POST', `${DEMO}/items`, {
      type: ['story', 'bug', 'task', 'epic'][at % 4],
      title,
      body: 'People **asked** for it.\n\n- [x] Ask three of them\n- [ ] Build it\n\n```js\ngreet("Ada");\n```\n',
      priority: ['medium', 'high', 'low', 'highest', 'lowest'][at % 5],
      labels: Object.keys(COLORS).slice(at % 4, (at % 4) + (at % 3)),
      estimate: at % 4 === 0 ? undefined : at + 1,
      assignee: at % 2 ? me : undefined,
    });
    items.push(key);
  }
  const [first = '', second = '', third = '', fourth = ''] = items;
  const move = async (key: string, state: string) => {
    const { version } = await call<Keyed>('GET', `${ORG}/items/${key}`);
    await call('POST', `${ORG}/items/${key}/transition`, { version, state });
  };
  await call('POST', `${ORG}/items/${first}/subtasks`, { title: 'Ask where it is kept', estimate: 1 });
  await call('POST', `${ORG}/items/${first}/comments`, { body: 'Looks **good** to me. See DEMO-1.' });
  const { version } = await call<Keyed>('GET', `${ORG}/items/${second}`);
  await call('POST', `${ORG}/items/${second}/claim`, { version });
  await move(third, 'In progress');

  await call('POST', `${ORG}/items/${first}/links`, { type: 'blockedBy', item: second });
  await call('POST', `${ORG}/items/${first}/links`, { type: 'relates', item: 'DEMO-3' });
  const { key: gone } = await call<Keyed>('POST', `${DEMO}/items`, {
    type: 'task',
    title: 'Sing the greeting',
  });
  await call('DELETE', `${ORG}/items/${gone}`);

  const { id: team } = await call<Identified>('POST', `${DEMO}/teams`, { name: 'Platform', key: 'PLAT' });
  const days = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const made = { name: 'Sprint 12', team, start: days(-2), end: days(12), capacity: 30 };
  const sprint = await call<Identified & { version: number }>('POST', `${DEMO}/sprints`, made);
  for (const key of [first, second, third, fourth]) {
    const { version } = await call<Keyed>('GET', `${ORG}/items/${key}`);
    await call('POST', `${ORG}/items/${key}/move`, { version, sprint: sprint.id });
  }
  await call('POST', `${ORG}/sprints/${sprint.id}/start`, { version: sprint.version });
  const page = await call<Keyed>('PUT', `${DEMO}/wiki/pages/Handbook`, {
    body: '# Handbook\n\nHow we work.\n\n## Releases\n\nOn Fridays.\n\n## Support\n\nBy rota.',
  });
  await call('PUT', `${DEMO}/wiki/pages/Handbook/Releases`, {
    body: '| When | Who |\n|---|---|\n| Friday | Ada |\n',
  });
  const again = { version: page.version, body: '# Handbook\n\nHow we work here.' };
  await call('PUT', `${DEMO}/wiki/pages/Handbook`, again);
  const goal = { name: 'First light', due: days(30) };
  const { id: milestone } = await call<Identified>('POST', `${DEMO}/milestones`, goal);
  await call('POST', `${ORG}/projects`, { key: 'NONE', name: 'Nothing yet' });
  await call('POST', `${DEMO}/rules`, {
    name: 'Greetings go to the agent',
    state: 'In review',
    playbook: 'Implement',
    label: 'greeting',
  });
  await call('POST', `${DEMO}/schedules`, {
    name: 'Dependencies',
    cron: '0 6 * * MON',
    timeZone: 'Europe/Berlin',
    playbook: 'Implement',
    type: 'task',
    title: 'Update dependencies ({date})',
  });

  const hand = async (title: string, body: string) => {
    const { key } = await call<Keyed>('POST', `${DEMO}/items`, { type: 'task', title, body });
    return (await call<Identified>('POST', `${ORG}/items/${key}/runs`, {})).id;
  };
  const until = async (id: string, wanted: string) => {
    for (const begun = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 250))) {
      const { status } = await call<{ status: string }>('GET', `${ORG}/runs/${id}`);
      if (status === wanted) return;
      if (Date.now() > begun + PATIENCE) throw new Error(`A run is ${status} and not ${wanted}.`);
    }
  };
  const run = (await call<Identified>('POST', `${ORG}/items/DEMO-1/runs`, {})).id;
  await until(run, 'succeeded');
  const failed = await hand('Translate the greeting', 'demo-agent: fail model-not-found');
  await until(failed, 'failed');
  const live = await hand('Greet in the user’s language', 'demo-agent: lines 12\ndemo-agent: sleep 900');
  await until(live, 'running');
  const [playbook] = await call<Identified[]>('GET', `${DEMO}/playbooks`);
  return { run, failed, live, item: first, sprint: sprint.id, milestone, playbook: playbook?.id ?? '' };
}
