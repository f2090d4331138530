import { describe, expect, it } from 'vitest';
import { abilityOf, bytesOf, textOf } from './push';

const browser = (agent: string, more: object = {}) =>
  ({ navigator: { userAgent: agent, serviceWorker: {} }, ...more }) as unknown as typeof globalThis;
const able = { PushManager: {}, Notification: { permission: 'default' } };

describe('whether this browser can be told', () => {
  it('needs a push manager, and nobody who said no', () => {
    expect(abilityOf(browser('Firefox', able))).toBe('able');
    expect(abilityOf(browser('Firefox'))).toBe('unsupported');
    const denied = { ...able, Notification: { permission: 'denied' } };
    expect(abilityOf(browser('Firefox', denied))).toBe('denied');
  });

  it('says to phones that need it to add the page to the home screen', () => {
    expect(abilityOf(browser('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'))).toBe('install');
  });
});

it('keys are Base64 for addresses, there and back', () => {
  const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  expect(bytesOf(key)).toHaveLength(65);
  expect(textOf(bytesOf(key))).toBe(key);
});
