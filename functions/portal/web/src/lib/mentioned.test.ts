import { expect, it } from 'vitest';
import { namesSomebody, showMentions } from './mentioned';

const names = ['Ada Lovelace', 'Bo', 'Jean-Luc'];

it('knows a name however it is written', () => {
  const yes: [string, string][] = [
    ['@Ada', ' Lovelace, please'],
    ['@ada-lovelace', ''],
    ['@Ada.Lovelace', ' '],
    ['@adalovelace', '!'],
    ['@bo', '’s'],
    ['@BO', ''],
    ['@jean-luc', ''],
  ];
  const no: [string, string][] = [
    ['@nobody', ''],
    ['@Ada', ' alone'],
    ['@bob', ''],
  ];
  expect(yes.filter(([mark, rest]) => !namesSomebody(mark, rest, names))).toEqual([]);
  expect(no.filter(([mark, rest]) => namesSomebody(mark, rest, names))).toEqual([]);
  expect(namesSomebody('@bo', '', [])).toBe(false);
  expect(namesSomebody('@', '', [''])).toBe(false);
});

it('shows a mark as a mention once the names are known', () => {
  const root = document.createElement('div');
  root.innerHTML =
    '<p><span class="mention">@Bo</span> and <span class="mention">@nobody</span> and <span class="mention">@Ada</span> Lovelace</p>';
  const shown = () => [...root.querySelectorAll('.mention')].map((mark) => mark.textContent);
  showMentions(root, []);
  expect(shown()).toEqual([]);
  showMentions(root, names);
  expect(shown()).toEqual(['@Bo', '@Ada']);
});
