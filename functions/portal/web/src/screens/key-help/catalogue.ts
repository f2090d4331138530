/** Every key of the app by where it works. What works here and now is known to the registry of commands. */
import { t as shell } from '@/app/strings';
import { t as filter } from '@/filter/strings';
import { PICKERS } from '@/items/pick';
import { t as items } from '@/items/strings';
import { t as actions } from '@/runs/action-strings';
import { t as item } from '@/screens/item/strings';
import { t as projects } from '@/screens/projects/strings';
import { t as log } from '@/screens/run/log/strings';
import { t as run } from '@/screens/run/strings';
import { t } from './strings';

interface KeyOf {
  /** Of the command that it gives; nothing for what fields and rows do by themselves. */
  id?: string;
  keys: string;
  title: string;
}

export interface Part {
  title: string;
  keys: readonly KeyOf[];
}

const key = (id: string, keys: string, title: string): KeyOf => ({ id, keys, title });

const pickers = PICKERS.map(({ kind, keys, title }) => key(`item.${kind}`, keys, items(title)));

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
      key('go.organization', 'o', shell('switch')),
      key('go.home', 'g h', shell('home')),
      key('go.projects', 'g p', shell('projects')),
      key('go.factory', 'g f', shell('factory')),
      key('go.activity', 'g a', shell('activity')),
      key('go.search', 'g /', shell('search')),
      key('go.organization-settings', 'g o', shell('organizationSettings')),
      key('go.account', 'g m', shell('accountSettings')),
    ],
  },
  {
    title: t('inProject'),
    keys: [
      key('item.create', 'c', shell('create')),
      key('view.filter', '/', filter('filter')),
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
      key('item.assign-me', 'i', items('assignMe')),
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
      key('board.moveLeft', 'shift+left', items('moveLeft')),
      key('board.moveRight', 'shift+right', items('moveRight')),
      key('board.moveUp', 'shift+up', items('moveUp')),
      key('board.moveDown', 'shift+down', items('moveDown')),
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
      key('item.edit', 'e', item('editDescription')),
      key('item.run', 'r', t('startAgent')),
      key('item.refine', 'shift+r', t('refine')),
      key('peek.close', 'escape', item('close')),
    ],
  },
  {
    title: t('onRun'),
    keys: [
      key('run.start', 'r', run('startAgain')),
      key('run.continue', 'shift+c', actions('continue')),
      key('run.retry', 'shift+t', actions('retry')),
    ],
  },
  {
    title: t('inLog'),
    keys: [
      key('log.find', '/', log('find')),
      key('log.next', 'n', log('next')),
      key('log.previous', 'shift+n', log('previous')),
      key('log.error', 'e', log('nextError')),
      key('log.time', 't', log('times')),
      key('log.wrap', 'w', log('wrap')),
      key('log.end', 'shift+g', log('toEnd')),
    ],
  },
  {
    title: t('pages'),
    keys: [key('page.edit', 'e', t('editPage')), key('project.create', 'shift+n', projects('new'))],
  },
  { title: t('planning'), keys: [{ keys: 't', title: t('plan') }] },
  {
    title: t('writing'),
    keys: [
      { keys: 'mod+enter', title: t('send') },
      { keys: 'escape', title: t('leave') },
      { keys: '@', title: t('mention') },
      { keys: '#', title: t('reference') },
    ],
  },
];

/** What does not work here and now: apart from the commands that do, of which none is named twice. */
export function elsewhere(here: ReadonlySet<string>): Part[] {
  const there = ({ id }: KeyOf) => id === undefined || !here.has(id);
  return CATALOGUE.map(({ title, keys }) => ({ title, keys: keys.filter(there) })).filter(
    ({ keys }) => keys.length > 0,
  );
}
