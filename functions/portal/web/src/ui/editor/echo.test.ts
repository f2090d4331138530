import { describe, expect, it } from 'vitest';
import { Echo } from './echo';

describe('what comes back to an editor', () => {
  it('is no news while the person types ahead of it', () => {
    const echo = new Echo('');
    echo.told('p');
    // Rendered with the text of before.
    expect(echo.of('')).toBe(true);
    echo.told('pl');
    expect(echo.of('p')).toBe(true);
    echo.told('ple');
    expect(echo.of('p')).toBe(true);
    expect(echo.of('ple')).toBe(true);
  });

  it('is news when it comes from elsewhere', () => {
    const echo = new Echo('');
    echo.told('sent');
    expect(echo.of('sent')).toBe(true);
    // The composer is emptied.
    expect(echo.of('')).toBe(false);
    echo.told('a');
    expect(echo.of('a draft that is given')).toBe(false);
    // Told before that, and older than it.
    expect(echo.of('a')).toBe(false);
  });
});
