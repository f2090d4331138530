import { describe, expect, it } from 'vitest';
import type { WikiEntry } from '@/data/wiki';
import { cleanPath, isFactory, isFolder, nameOf, parentOf, step, visibleNodes } from './tree';

const entries = ['Decisions', 'Guide', 'Guide/Style', 'Guide/Style/Code', 'Guide 2', 'Lost/Child'].map(
  (path) => ({ id: path, path, title: path, version: 1, updatedAt: '' }) as WikiEntry,
);
const none = new Set<string>();

describe('tree', () => {
  it('is as deep as the pages above that can be seen', () => {
    expect(visibleNodes(entries, none).map((node) => [node.path, node.level, node.hasChildren])).toEqual([
      ['Decisions', 1, false],
      ['Guide', 1, true],
      ['Guide/Style', 2, true],
      ['Guide/Style/Code', 3, false],
      ['Guide 2', 1, false],
      ['Lost', 1, true],
      ['Lost/Child', 2, false],
    ]);
  });

  it('draws a path without a page as one folder of all pages below it', () => {
    const pages = ['A/Notes', 'B/Notes', 'a/More', 'A'].map((path) => ({ path }) as WikiEntry);
    expect(visibleNodes(pages, none).map((node) => [node.path, node.level, node.entry?.path])).toEqual([
      ['A', 1, 'A'],
      ['A/Notes', 2, 'A/Notes'],
      ['a/More', 2, 'a/More'],
      ['B', 1, undefined],
      ['B/Notes', 2, 'B/Notes'],
    ]);
    expect(visibleNodes(pages, new Set(['B'])).map((node) => node.path)).toEqual([
      'A',
      'A/Notes',
      'a/More',
      'B',
    ]);
    expect(['B', 'A', 'B/Notes', 'C'].map((path) => isFolder(pages, path))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('reads a typed name as levels', () => {
    expect([cleanPath(' How / we work '), cleanPath('/a//b/'), cleanPath('plain')]).toEqual([
      'How/we work',
      'a/b',
      'plain',
    ]);
  });

  it('leaves out what is below a folded page, however deep', () => {
    expect(visibleNodes(entries, new Set(['Guide'])).map((node) => node.path)).toEqual([
      'Decisions',
      'Guide',
      'Guide 2',
      'Lost',
      'Lost/Child',
    ]);
  });

  it('moves by arrows as trees do', () => {
    const nodes = visibleNodes(entries, none);
    expect(step(nodes, 1, 'ArrowRight', none)).toEqual({ focus: 2 });
    expect(step(nodes, 1, 'ArrowLeft', none)).toEqual({ fold: 'Guide', to: true });
    expect(step(nodes, 1, 'ArrowRight', new Set(['Guide']))).toEqual({ fold: 'Guide', to: false });
    expect(step(nodes, 3, 'ArrowLeft', none)).toEqual({ focus: 2 });
    expect(step(nodes, 0, 'ArrowUp', none)).toEqual({ focus: 0 });
    expect(step(nodes, 0, 'End', none)).toEqual({ focus: 6 });
    expect(step(nodes, 0, 'x', none)).toBeUndefined();
  });

  it('takes paths apart', () => {
    expect([nameOf('a/b c'), nameOf('a'), parentOf('a/b/c'), parentOf('a')]).toEqual(['b c', 'a', 'a/b', '']);
    expect([isFactory('Factory/Fix'), isFactory('factory'), isFactory('Factory2')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
