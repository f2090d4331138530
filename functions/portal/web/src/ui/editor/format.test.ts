import { EditorSelection, EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { begun, block, type Format, fenced, linked, marked, pasted, sized } from './format';

/** The text after a format; what is selected stands between `‹` and `›`, before and after. */
function written(format: Format, text: string): string {
  const anchor = text.indexOf('‹');
  const head = text.indexOf('›') - 1;
  const doc = text.replace(/[‹›]/g, '');
  const state = EditorState.create({ doc, selection: EditorSelection.range(anchor, head) });
  const next = state.update(format(state)).state;
  const { from, to } = next.selection.main;
  return `${next.sliceDoc(0, from)}‹${next.sliceDoc(from, to)}›${next.sliceDoc(to)}`;
}

describe('marks', () => {
  it.each([
    ['a ‹word› here', 'a **‹word›** here'],
    ['a wo‹›rd here', 'a **wo‹›rd** here'],
    ['a **‹word›** here', 'a ‹word› here'],
    ['a ‹**word**› here', 'a ‹word› here'],
    ['a ‹› here', 'a **‹›** here'],
  ])('make %s bold, and plain again', (text, bold) => {
    expect(written(marked('**'), text)).toBe(bold);
  });

  it('tell emphasis from strong', () => {
    expect(written(marked('*'), '**‹word›**')).toBe('***‹word›***');
    expect(written(marked('_'), '_‹word›_')).toBe('‹word›');
  });
});

describe('lines', () => {
  const bullets = begun(() => '- ');
  const numbers = begun((at) => `${at + 1}. `);

  it('become a list, another list, and lines again', () => {
    expect(written(bullets, '‹one\ntwo›')).toBe('- ‹one\n- two›');
    expect(written(numbers, '‹- one\n- two›')).toBe('‹1. one\n2. two›');
    expect(written(numbers, '‹1. one\n2. two›')).toBe('‹one\ntwo›');
    expect(
      written(
        begun(() => '- [ ] '),
        '  - o‹›ne',
      ),
    ).toBe('  - [ ] o‹›ne');
    expect(
      written(
        begun(() => '## '),
        '# T‹›itle',
      ),
    ).toBe('## T‹›itle');
    expect(written(bullets, '‹›')).toBe('- ‹›');
  });

  it('are fenced, and blocks stand on lines of their own', () => {
    expect(written(fenced, 'a\n‹let x›\nb')).toBe('a\n```\n‹let x›\n```\nb');
    expect(written(block('---\n'), 'a‹›')).toBe('a\n\n---\n‹›');
    expect(written(block('| a |', 'a'), '‹›')).toBe('| ‹a› |');
  });
});

describe('links', () => {
  it('want the part that is missing', () => {
    expect(written(linked, 'see ‹docs›')).toBe('see [docs](‹https://›)');
    expect(written(linked, '‹https://a.test/x›')).toBe('[‹›](https://a.test/x)');
    expect(written(linked, 'see ‹›')).toBe('see [‹›](https://)');
  });

  it('are made of an address that is pasted over words, and of nothing else', () => {
    const over = (text: string, clipboard: string) =>
      written((state) => pasted(state, clipboard) ?? { changes: [] }, text);
    expect(over('see ‹the docs›', ' https://a.test/b_(c) ')).toBe('see [the docs](https://a.test/b_(c%29)‹›');
    expect(over('see ‹›', 'https://a.test')).toBe('see ‹›');
    expect(over('‹https://b.test›', 'https://a.test')).toBe('‹https://b.test›');
    expect(over('‹words›', 'no address')).toBe('‹words›');
  });
});

describe('images', () => {
  it('get a width and their own again, by the image that is nearest before the cursor', () => {
    expect(written(sized(320), '![a](/x) ![b](/y)‹›')).toBe('![a](/x) ![b|320](/y)‹›');
    expect(written(sized(480), '![a|320](/x)\n‹›')).toBe('![a|480](/x)\n‹›');
    expect(written(sized(undefined), '![a|320](/x)‹›')).toBe('![a](/x)‹›');
    expect(written(sized(320), 'no image‹›')).toBe('no image‹›');
  });
});
