import { describe, expect, it } from 'vitest';
import { messages } from './messages';

const t = messages({
  plain: 'Nothing here yet.',
  named: '{key} moved to {state}, {n} of {total}.',
  counted: '{n, plural, =0 {No items} one {# item} other {# items}} in {project}',
  chosen: '{role, select, owner {You own it.} other {You work in it.}}',
});

describe('messages', () => {
  it('puts values where they are named', () => {
    expect(t('plain')).toBe('Nothing here yet.');
    expect(t('named', { key: 'DEMO-7', state: 'In review', n: 3, total: 1200 })).toBe(
      'DEMO-7 moved to In review, 3 of 1,200.',
    );
  });

  it('chooses by number and by word', () => {
    expect(t('counted', { n: 0, project: 'DEMO' })).toBe('No items in DEMO');
    expect(t('counted', { n: 1, project: 'DEMO' })).toBe('1 item in DEMO');
    expect(t('counted', { n: 5000, project: 'DEMO' })).toBe('5,000 items in DEMO');
    expect(t('chosen', { role: 'owner' })).toBe('You own it.');
    expect(t('chosen', { role: 'guest' })).toBe('You work in it.');
  });
});
