import { expect, it } from 'vitest';
import { outlined, unmarked } from './unmarked';

it.each([
  ['People **asked** for it.', 'People asked for it.'],
  ['## What happens\n\nIt fails.', ' What happens It fails.'],
  ['- [x] Ask\n- [ ] Build', ' Ask Build'],
  ['```js\ngreet("Ada");\n```', ' greet("Ada"); '],
  ['says `Hello`', 'says Hello'],
  [
    'C# and 2 * 3 > 5 - 1 stay, as do snake_case and #12',
    'C# and 2 * 3 > 5 - 1 stay, as do snake_case and #12',
  ],
])('takes the marks from %j', (markdown, shown) => {
  expect(unmarked(markdown)).toBe(shown);
});

it('keeps lines apart, and leaves out those without a word', () => {
  expect(outlined('## What happens\n\n## Steps\n\n1.\n2.\n\nVersion:\n')).toBe(
    'What happens · Steps · Version:',
  );
  expect(outlined('')).toBe('');
});
