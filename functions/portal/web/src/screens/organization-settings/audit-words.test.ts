import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { AUDIT_KINDS, actionName, actionsOf, isOnesOwn } from './audit-words';

it('says actions in words, also those of later versions', () => {
  expect(actionName('memberAdded')).toBe('Member added');
  expect(actionName('orgReadOnlySet')).toBe('Organization read only set');
  expect(actionName('outboundWebhookSecretRotated')).toBe('Webhook secret rotated');
  expect(actionName('somethingNew')).toBe('Something new');
});

it('has each action of the service in one kind', () => {
  const [audit = ''] = readFileSync('../../../shared/domain/src/audit/action.rs', 'utf8').split(
    'AuditKind {',
  );
  const all = [...audit.matchAll(/^ {8}[A-Z]\w+ = "(\w+)",$/gm)].map(([, action]) => action);
  expect(all.length).toBeGreaterThan(60);
  expect(Object.values(AUDIT_KINDS).flat().sort()).toEqual(all.sort());
});

it('finds what was deleted of any kind', () => {
  expect(actionsOf('deletions')).toEqual(
    expect.arrayContaining(['itemDeleted', 'projectPurged', 'runnerRemoved', 'orgDeleted']),
  );
  expect(actionsOf('deletions')).not.toContain('memberRemoved');
});

it('names once who did something to themselves', () => {
  const by = { id: 'u1', name: 'Kit', agent: false };
  const own = { by, byEmail: 'kit@example.com', name: 'Kit', email: 'kit@example.com' };
  expect(isOnesOwn(own)).toBe(true);
  expect(isOnesOwn({ ...own, email: 'other@example.com' })).toBe(false);
  expect(isOnesOwn({ by, name: 'Kit' })).toBe(false);
});
