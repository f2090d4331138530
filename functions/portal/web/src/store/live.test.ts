import { beforeEach, expect, it, vi } from 'vitest';
import type { Can, Run, Workflow } from '@/api/types';
import { canQuery } from '@/data/projects';
import { type Board, loadBoard, loadChanges } from './feed';
import { comingBoard, forgetProjects, graphOf, open } from './live';
import { queries } from './queries';

vi.mock('./feed', async (original) => ({
  ...(await original<object>()),
  loadBoard: vi.fn(),
  loadChanges: vi.fn(),
}));
vi.mock('./organization', async (original) => ({ ...(await original<object>()), follow: () => () => {} }));

const workflow = { version: 1, states: [], moves: [] } as Workflow;
const can: Can = {
  edit: true,
  comment: true,
  start: false,
  transition: true,
  delete: false,
  configure: false,
};
const board = (more: Partial<Board> = {}): Board => ({
  cards: [],
  cursor: '1',
  workflow,
  can,
  runs: [],
  ...more,
});

beforeEach(() => {
  forgetProjects();
  queries.clear();
});

it('answers for what comes with the board while the board is on its way, and not from an old board', async () => {
  vi.mocked(loadBoard).mockResolvedValue(board());
  const { ready, close } = open('demo', 'DEMO');
  expect(await comingBoard('demo', 'DEMO')).toMatchObject({ workflow, can });
  await ready;
  expect(await comingBoard('demo', 'DEMO')).toBeUndefined();
  close();
});

it('hands on what one may do, as the board said it', async () => {
  vi.mocked(loadBoard).mockResolvedValue(board());
  const { ready, close } = open('demo', 'DEMO');
  await ready;
  expect(queries.getQueryData(canQuery('demo', 'DEMO').queryKey)).toEqual(can);
  close();
});

it('hands on the live runs that came with the board', async () => {
  const runs = [{ id: 'r1' } as Run];
  vi.mocked(loadBoard).mockResolvedValue(board({ runs }));
  const { ready, close } = open('demo', 'DEMO');
  await ready;
  expect(queries.getQueryData(['project-runs', 'demo', 'DEMO'])).toEqual(runs);
  close();
});

it('loads the board anew where too much happened since', async () => {
  vi.mocked(loadBoard).mockResolvedValue(board({ cursor: '9' }));
  vi.mocked(loadChanges).mockResolvedValue({ cursor: '5', cards: [], removed: [], reload: true });
  graphOf('demo', 'DEMO').replace({ cards: [], cursor: '2' });
  const { ready, close } = open('demo', 'DEMO');
  await ready;
  expect(graphOf('demo', 'DEMO').cursor).toBe('9');
  close();
});
