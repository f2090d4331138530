/** What the toolbar and the slash menu of the editor do. */

import { t } from './editor-strings';
import { begun, block, type Format, fenced, linked, marked, sized, TABLE } from './format';

export interface Action {
  id: string;
  label: string;
  format: Format;
  /** As commands write keys, for tooltips; the editor's keymap has them as CodeMirror writes them. */
  keys?: string;
  /** A sign for the slash menu. */
  sign: string;
  words?: string;
}

export const MARKS: Action[] = [
  { id: 'bold', label: t('bold'), format: marked('**'), keys: 'mod+b', sign: 'B', words: 'strong' },
  { id: 'italic', label: t('italic'), format: marked('_'), keys: 'mod+i', sign: 'I', words: 'emphasis' },
  { id: 'strike', label: t('strike'), format: marked('~~'), sign: 'S', words: 'strikethrough' },
  { id: 'code', label: t('code'), format: marked('`'), keys: 'mod+e', sign: '`', words: 'monospace' },
  { id: 'link', label: t('link'), format: linked, keys: 'mod+k', sign: '↗', words: 'url address' },
];

export const BLOCKS: Action[] = [
  { id: 'heading', label: t('heading'), format: begun(() => '## '), sign: 'H2', words: 'title section' },
  {
    id: 'subheading',
    label: t('subheading'),
    format: begun(() => '### '),
    sign: 'H3',
    words: 'title section',
  },
  { id: 'list', label: t('list'), format: begun(() => '- '), sign: '•', words: 'unordered ul' },
  {
    id: 'numbers',
    label: t('numbers'),
    format: begun((at) => `${at + 1}. `),
    sign: '1.',
    words: 'ordered ol list',
  },
  {
    id: 'tasks',
    label: t('tasks'),
    format: begun(() => '- [ ] '),
    sign: '☐',
    words: 'todo task list checkbox',
  },
  { id: 'quote', label: t('quote'), format: begun(() => '> '), sign: '❝', words: 'blockquote' },
  { id: 'block', label: t('block'), format: fenced, sign: '{}', words: 'code fence pre' },
  { id: 'table', label: t('table'), format: block(`${TABLE}\n`, 'Column'), sign: '▦', words: 'columns rows' },
  { id: 'rule', label: t('rule'), format: block('---\n'), sign: '—', words: 'line separator hr' },
];

/** What is done with an image; found by name. */
export const IMAGES: Action[] = [
  { id: 'small', label: t('small'), format: sized(240), sign: '▫', words: 'image size resize width' },
  { id: 'middle', label: t('middle'), format: sized(480), sign: '◻', words: 'image size resize width' },
  { id: 'whole', label: t('whole'), format: sized(undefined), sign: '⬜', words: 'image size resize width' },
];
