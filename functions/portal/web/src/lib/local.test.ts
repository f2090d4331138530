import { beforeEach, describe, expect, it } from 'vitest';
import { forgetLocal, readLocal, writeLocal } from './local';

describe('small settings of this browser', () => {
  beforeEach(() => localStorage.clear());

  it('forgets what tells of a person, and keeps what belongs to the device', () => {
    writeLocal('recent', [{ key: 'DEMO-1' }]);
    writeLocal('wiki.folded.acme.WEB', ['Plans']);
    writeLocal('log.wrap', true);
    localStorage.setItem('another.app', '1');
    forgetLocal();
    expect(readLocal('recent', [])).toEqual([]);
    expect(Object.keys(localStorage).sort()).toEqual(['another.app', 'svc.log.wrap']);
    expect(readLocal('log.wrap', false)).toBe(true);
  });
});
