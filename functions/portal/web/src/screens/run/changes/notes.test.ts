import { expect, it } from 'vitest';
import { commentOf, type Note } from './notes';

const note = (path: string, line: number, more: Partial<Note> = {}): Note => ({
  path,
  side: 'new',
  line,
  code: 'echo hello',
  text: 'Why?',
  ...more,
});

it('puts remarks into the order of the change, with the lines they are about', () => {
  const notes = [note('b.sh', 2), note('a.sh', 9), note('a.sh', 3, { side: 'old', text: ' Keep it. ' })];
  expect(commentOf(notes, ['a.sh', 'b.sh'], 'Builder')).toBe(
    [
      '@Builder Please change this:',
      '`a.sh`, removed line 3:',
      '```\necho hello\n```',
      'Keep it.',
      '`a.sh`, line 9:',
      '```\necho hello\n```',
      'Why?',
      '`b.sh`, line 2:',
      '```\necho hello\n```',
      'Why?',
    ].join('\n\n'),
  );
});

it('mentions nobody where no agent is asked, and lets no code end its fence', () => {
  const text = commentOf([note('a`b.md', 1, { code: '```js' })], ['a`b.md'], undefined);
  expect(text).toBe('``a`b.md``, line 1:\n\n````\n```js\n````\n\nWhy?');
});
