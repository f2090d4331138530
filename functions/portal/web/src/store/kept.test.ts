import 'fake-indexeddb/auto';
import { beforeEach, expect, it } from 'vitest';
import { keep, openDatabase, recall, wipeDatabases } from './database';
import type { Card } from './feed';
import { ProjectGraph } from './graph';
import { dropProject, keepAnew, keepProject, recallProject } from './kept';

const card = (key: string, version = 1, title = key) => ({ key, version, title, rank: key }) as Card;
const loaded = () => {
  const graph = new ProjectGraph('demo', 'DEMO');
  graph.replace({ cards: [card('DEMO-1'), card('DEMO-2'), card('DEMO-3')], cursor: '1' });
  return graph;
};
const recalled = async () => {
  const graph = new ProjectGraph('demo', 'DEMO');
  await recallProject(graph);
  return graph;
};
const titles = (graph: ProjectGraph) => graph.cards().map(({ title }) => title);

beforeEach(async () => {
  await wipeDatabases();
  openDatabase('ada');
});

it('keeps a project, and beside it what changed since', async () => {
  const graph = loaded();
  await keepProject(graph);
  const { cards } = (await recall('projects', 'demo/DEMO')) ?? {};
  graph.apply({ cursor: '5', cards: [card('DEMO-2', 2, 'Renamed')], removed: ['DEMO-3'], reload: false });
  await keepProject(graph);
  expect((await recall('projects', 'demo/DEMO'))?.cards).toBe(cards);
  const back = await recalled();
  expect(titles(back)).toEqual(['DEMO-1', 'Renamed']);
  expect(back.cursor).toBe('5');
});

it('goes on counting changes where the last page stopped', async () => {
  const graph = loaded();
  await keepProject(graph);
  graph.confirm(card('DEMO-1', 2, 'First'));
  await keepProject(graph);
  const next = await recalled();
  next.confirm(card('DEMO-2', 2, 'Second'));
  await keepProject(next);
  expect(titles(await recalled())).toEqual(['First', 'Second', 'DEMO-3']);
});

it('leaves out changes of another tab’s snapshot', async () => {
  const [mine, theirs] = [loaded(), loaded()];
  await keepProject(mine);
  theirs.apply({ cursor: '9', cards: [card('DEMO-1', 2, 'Theirs')], removed: [], reload: false });
  await keepProject(theirs);
  mine.apply({ cursor: '7', cards: [card('DEMO-2', 2, 'Mine')], removed: [], reload: false });
  await keepProject(mine);
  const back = await recalled();
  expect(titles(back)).toEqual(['Theirs', 'DEMO-2', 'DEMO-3']);
  expect(back.cursor).toBe('9');
});

it('writes a whole board anew after it was loaded again, and after many changes', async () => {
  const graph = loaded();
  await keepProject(graph);
  const first = await recall('projects', 'demo/DEMO');
  graph.replace({ cards: [card('DEMO-9')], cursor: '20' });
  keepAnew(graph);
  await keepProject(graph);
  const second = await recall('projects', 'demo/DEMO');
  expect(second?.snapshot).not.toBe(first?.snapshot);
  expect(titles(await recalled())).toEqual(['DEMO-9']);
  const many = Array.from({ length: 1_000 }, (_, at) => card(`DEMO-${at + 10}`));
  graph.apply({ cards: many, removed: [], reload: false });
  await keepProject(graph);
  expect((await recall('projects', 'demo/DEMO'))?.snapshot).not.toBe(second?.snapshot);
  expect((await recalled()).cards()).toHaveLength(1_001);
});

it('forgets a project, and finds nothing then', async () => {
  const graph = loaded();
  await keepProject(graph);
  await dropProject(graph);
  expect((await recalled()).loaded).toBe(false);
});

it('reads nothing of a text that was cut', async () => {
  const cut = { id: 'demo/DEMO', snapshot: 's', cards: '[{"key":', cursor: '1', missing: 0 };
  await keep('projects', cut);
  expect((await recalled()).loaded).toBe(false);
});
