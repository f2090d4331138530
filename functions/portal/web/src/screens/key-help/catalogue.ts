/** Every key of the app by where it works. What works here and now is known to the registry of commands. */
import type { Access } from '@/app/access';
import { t as shell } from '@/app/strings';
import { t as filter } from '@/filter/strings';
import { PICKERS } from '@/items/pick';
import { t as items } from '@/items/strings';
import { t as actions } from '@/runs/action-strings';
import { t as home } from '@/screens/home/strings';
import { t as inbox } from '@/screens/inbox/strings';
import { t as item } from '@/screens/item/strings';
import { t as projects } from '@/screens/projects/strings';
import { t as log } from '@/screens/run/log/strings';
import { t as run } from '@/screens/run/strings';
import { MARKS } from '@/ui/editor/actions';
import { t } from './strings';

interface KeyOf {
  /** Of the command that it gives; nothing for what fields and rows do by themselves. */
  id?: string;
  keys: string;
  title: string;
  /** What a person must be allowed; for all others there is no such key. */
  needs?: Need | undefined;
}

type Need = 'administer' | 'write' | 'move' | 'operate' | 'start';

export interface Part {
  title: string;
  keys: readonly KeyOf[];
}

const key = (id: string, keys: string, title: string, needs?: Need): KeyOf => ({ id, keys, title, needs });

const pickers = PICKERS.map(({ kind, keys, title }) => key(`item.${kind}`, keys, items(title), 'write'));

const selecting = (screen: string) => [
  key(`${screen}.down`, 'j', items('nextItem')),
  key(`${screen}.up`, 'k', items('previousItem')),
  key(`${screen}.select-down`, 'shift+j', items('selectDown')),
  key(`${screen}.select-up`, 'shift+k', items('selectUp')),
];

export const CATALOGUE: readonly Part[] = [
  {
    title: t('everywhere'),
    keys: [
      key('palette', 'mod+k', shell('palette')),
      key('help', '?', shell('shortcuts')),
      key('undo', 'mod+z', shell('undo')),
      key('fold', '[', shell('fold')),
      key('page.favourite', 'shift+f', shell('addFavourite')),
      key('go.organization', 'o', shell('switch')),
      key('go.home', 'g h', shell('home')),
      key('go.inbox', 'g i', shell('inbox')),
      key('go.projects', 'g p', shell('projects')),
      key('go.items', 'g e', shell('items')),
      key('item.create', 'c', shell('create'), 'write'),
      key('go.factory', 'g f', shell('factory'), 'operate'),
      key('go.activity', 'g a', shell('activity')),
      key('go.search', 'g /', shell('search')),
      key('go.organization-settings', 'g o', shell('organizationSettings')),
      key('go.account', 'g m', shell('accountSettings')),
    ],
  },
  {
    title: t('onHome'),
    keys: [
      key('home.next', 'j', home('next')),
      key('home.previous', 'k', home('previous')),
      key('home.peek', 'space', home('peek')),
      key('home.changes', 'd', home('showChanges'), 'operate'),
    ],
  },
  {
    title: shell('inbox'),
    keys: [
      key('inbox.down', 'j', inbox('next')),
      key('inbox.up', 'k', inbox('previous')),
      key('inbox.open', 'o', inbox('open')),
      key('inbox.done', 'e', inbox('done')),
      key('inbox.read', 'u', inbox('unread')),
    ],
  },
  {
    title: t('inProject'),
    keys: [
      key('view.filter', '/', filter('filter')),
      key('view.filter-too', 'f', filter('filter')),
      key('go.board', 'g b', shell('board')),
      key('go.list', 'g l', shell('list')),
      key('go.sprints', 'g s', shell('sprints')),
      key('go.wiki', 'g w', shell('wiki')),
      key('go.project-settings', 'g ,', shell('projectSettings')),
    ],
  },
  {
    title: t('onItems'),
    keys: [
      ...pickers,
      key('item.assign-me', 'i', items('assignMe'), 'write'),
      key('item.open', 'enter', items('open')),
      key('item.peek', 'space', items('peek')),
      key('item.select', 'x', items('select')),
      key('item.select-all', 'mod+a', items('selectAll')),
      key('item.copy-key', 'mod+.', items('copyKey')),
      key('item.clear', 'escape', items('clear')),
    ],
  },
  {
    title: t('onBoard'),
    keys: [
      ...selecting('board'),
      ...(['up', 'down', 'left', 'right'] as const).map((way) =>
        key(`board.arrow-${way}`, way, items(`focus.${way}`)),
      ),
      key('board.moveLeft', 'shift+left', items('moveLeft'), 'move'),
      key('board.moveRight', 'shift+right', items('moveRight'), 'move'),
      key('board.moveUp', 'shift+up', items('moveUp'), 'move'),
      key('board.moveDown', 'shift+down', items('moveDown'), 'move'),
    ],
  },
  {
    title: t('inList'),
    keys: [
      ...selecting('list'),
      key('list.arrow-down', 'down', items('nextItem')),
      key('list.arrow-up', 'up', items('previousItem')),
      key('list.select-arrow-down', 'shift+down', items('selectDown')),
      key('list.select-arrow-up', 'shift+up', items('selectUp')),
    ],
  },
  {
    title: t('onItem'),
    keys: [
      ...pickers.filter(({ id }) => id !== 'item.move'),
      key('item.assign-me', 'i', items('assignMe'), 'write'),
      key('item.copy-key', 'mod+.', items('copyKey')),
      key('item.edit', 'e', item('editDescription'), 'write'),
      key('item.run', 'r', t('startAgent'), 'start'),
      key('item.refine', 'shift+r', t('refine'), 'start'),
      key('item.next', 'j', items('nextItem')),
      key('item.previous', 'k', items('previousItem')),
      key('item.back', 'escape', items('backToItems')),
      key('peek.close', 'escape', item('close')),
    ],
  },
  {
    title: t('onRun'),
    keys: [
      key('run.start', 'r', run('startAgain'), 'start'),
      key('run.continue', 'shift+c', actions('continue'), 'start'),
      key('run.retry', 'shift+t', actions('retry'), 'start'),
    ],
  },
  {
    title: t('inLog'),
    keys: [
      key('log.find', '/', log('find'), 'operate'),
      key('log.next', 'n', log('next'), 'operate'),
      key('log.previous', 'shift+n', log('previous'), 'operate'),
      key('log.error', 'e', log('nextError'), 'operate'),
      key('log.fold', 'f', log('fold'), 'operate'),
      key('log.time', 't', log('times'), 'operate'),
      key('log.wrap', 'w', log('wrap'), 'operate'),
      key('log.end', 'shift+g', log('toEnd'), 'operate'),
    ],
  },
  {
    title: t('pages'),
    keys: [
      key('page.edit', 'e', t('editPage'), 'write'),
      key('project.create', 'shift+n', projects('new'), 'administer'),
    ],
  },
  { title: t('planning'), keys: [{ keys: 't', title: t('plan'), needs: 'write' }] },
  {
    title: t('writing'),
    keys: [
      { keys: 'mod+enter', title: t('send') },
      { keys: 'escape', title: t('leave') },
      { keys: '@', title: t('mention') },
      { keys: '#', title: t('reference') },
      { keys: '[[', title: t('page') },
      { keys: '/', title: t('format') },
      { keys: 'Tab', title: t('cell') },
      ...MARKS.flatMap(({ id, keys, label }) => (keys ? [key(id, keys, label)] : [])),
    ],
  },
];

/** What does not work here and now: apart from the commands that do, and from what the person may not do anywhere. */
export function elsewhere(here: ReadonlySet<string>, access: Pick<Access, Need>): Part[] {
  const there = ({ id, needs }: KeyOf) =>
    (id === undefined || !here.has(id)) && (needs === undefined || access[needs]);
  return CATALOGUE.map(({ title, keys }) => ({ title, keys: keys.filter(there) })).filter(
    ({ keys }) => keys.length > 0,
  );
}
