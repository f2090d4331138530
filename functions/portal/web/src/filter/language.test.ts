import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Card } from '@/store/feed';
import { matcher, quotedName, readTerm, remoteTerms, split } from './language';

const BUILDER = '01977ab4-6b1e-7c3a-9d52-0e4f6a8b1c2d';
const card = {
  key: 'DEMO-7',
  title: 'Greet people by name',
  state: 'In progress',
  stateGroup: 'active',
  type: 'bug',
  priority: 'high',
  labels: ['greeting', 'frontend'],
  estimate: 3,
  remaining: null,
  assignee: { id: 'u1', name: 'Ada', agent: false },
  sprint: 's1',
  parent: 'DEMO-3',
  due: '2026-03-12',
  blocked: false,
  claim: { holder: BUILDER, holderName: 'Builder', agent: true, stale: false, since: '', heartbeatAt: '' },
} as unknown as Card;
const named = {
  ...card,
  assignee: { id: 'u1', name: 'Ada Lovelace', agent: false },
  milestone: 'm1',
} as Card;
const context = { me: 'u1', currentSprint: 's1' };
const matches = (filter: string, q = '') => matcher(filter, q, context)(card);

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-20T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

describe('the filter language', () => {
  it('understands every term', () => {
    const yes = [
      'state:active',
      'state:active,resolved',
      'state:"In progress"',
      'type:bug',
      'priority:>=high',
      'priority:high,low',
      'assignee:@me',
      'assignee:any',
      'label:greeting,x',
      'label:greeting+frontend',
      '-label:wontfix',
      'sprint:current',
      'sprint:any',
      'blocked:false',
      'estimate:>2',
      'estimate:3',
      'remaining:none',
      'claimed:any',
      'claimed:@agent',
      `claimed:${BUILDER}`,
      'parent:DEMO-3',
      'due:2026-03-12',
      'due:<=2026-03-31,none',
      'due:any',
      '-due:>2026-03-12',
      'state:active type:bug',
    ];
    const no = [
      'state:resolved',
      'type:task',
      'priority:>high',
      'assignee:none',
      'label:greeting+x',
      '-label:greeting',
      'sprint:none',
      'blocked:true',
      'estimate:>4',
      'remaining:any',
      'claimed:none',
      'claimed:@me',
      'parent:none',
      'due:none',
      'due:<2026-03-12',
      'due:>+0d',
      'state:active type:task',
    ];
    for (const filter of yes) expect([filter, matches(filter)]).toEqual([filter, true]);
    for (const filter of no) expect([filter, matches(filter)]).toEqual([filter, false]);
  });

  it('leaves addresses to the service, which knows whose they are', () => {
    const filter = 'assignee:ada@example.org claimed:@agent -claimed:bob@example.org assignee:@me';
    expect(remoteTerms(filter)).toEqual(['assignee:ada@example.org', '-claimed:bob@example.org']);
  });

  it('keeps quoted names together, and knows what is no term', () => {
    expect(split('state:"In progress" -label:a')).toEqual(['state:"In progress"', '-label:a']);
    for (const wrong of [
      'nonsense',
      'colour:red',
      'priority:urgent',
      'estimate:many',
      'blocked:maybe',
      'label:',
      'due:7d',
      'due:2026-02-30',
      'type:bgu',
      'type:bug,bgu',
      'parent:next',
    ]) {
      expect([wrong, readTerm(wrong)]).toEqual([wrong, undefined]);
    }
  });

  it('knows the states of the project and their groups, by any case, and no other', () => {
    const states = new Set(['backlog', 'in progress']);
    for (const term of ['state:active', 'state:"In Progress"', '-state:BACKLOG,closed'])
      expect([term, readTerm(term, { states })?.field]).toEqual([term, 'state']);
    expect(readTerm('state:active,Doing', { states })).toBeUndefined();
    expect(remoteTerms('state:Doing type:bug', { states })).toEqual(['state:Doing']);
    // Before the workflow is known, any name may be one.
    expect(remoteTerms('state:Doing')).toEqual([]);
    const told = { ...context, states };
    expect(matcher('state:"In progress"', '', told)(card)).toBe(true);
    expect(matcher('state:Doing', '', told, new Map([['state:Doing', new Set<string>()]]))(card)).toBe(false);
  });

  it('keeps a group in parentheses together, and takes other parentheses for a part of a value', () => {
    expect(split('(type:bug OR (label:a type:task)) state:active')).toEqual([
      '(type:bug OR (label:a type:task))',
      'state:active',
    ]);
    expect(split('-(label:"a)" OR type:bug) label:a) type:task')).toEqual([
      '-(label:"a)" OR type:bug)',
      'label:a)',
      'type:task',
    ]);
    expect(split('(type:bug')).toEqual(['(type:bug']);
  });

  it('leaves to the service what it does not know: newer terms, names, groups', () => {
    const filter =
      'state:active resolved:<today assignee:"any" milestone:Ship sprint:"Sprint 12" (type:bug OR blocked:true)';
    expect(remoteTerms(filter)).toEqual([
      'resolved:<today',
      'assignee:"any"',
      'milestone:Ship',
      'sprint:"Sprint 12"',
      '(type:bug OR blocked:true)',
    ]);
    const found = (key: string) => new Map([['resolved:<today', new Set([key])]]);
    expect(matcher('state:active resolved:<today', '', context, found('DEMO-7'))(card)).toBe(true);
    expect(matcher('state:active resolved:<today', '', context, found('DEMO-8'))(card)).toBe(false);
    // Not answered yet, or wrong: it hides nothing.
    expect(matches('state:active resolved:<today')).toBe(true);
  });

  it('knows people by their names and words of them, and sprints and milestones by those that there are', () => {
    for (const yes of ['assignee:"ada lovelace"', 'assignee:lovelace', 'assignee:Bob,ÁDA', 'claimed:builder'])
      expect([yes, matcher(yes, '', context)(named)]).toEqual([yes, true]);
    for (const no of ['assignee:love', '-assignee:ada', 'claimed:"Ada Lovelace"'])
      expect([no, matcher(no, '', context)(named)]).toEqual([no, false]);
    const known = { sprints: new Map([['sprint, 12', 's1']]), milestones: new Map([['ship it', 'm1']]) };
    const told = { ...context, ...known };
    expect(remoteTerms('sprint:"Sprint, 12" milestone:"Ship it" milestone:Other', known)).toEqual([
      'milestone:Other',
    ]);
    for (const yes of ['sprint:"Sprint, 12"', 'milestone:"ship it",none', '-milestone:none', 'milestone:any'])
      expect([yes, matcher(yes, '', told)(named)]).toEqual([yes, true]);
    expect(matcher('-milestone:"Ship it"', '', told)(named)).toBe(false);
  });

  it('writes names so that they are read as names', () => {
    expect(['Ada', 'Ada Lovelace', 'none', 'a-b', 'Q1 (late), 2'].map(quotedName)).toEqual([
      'Ada',
      '"Ada Lovelace"',
      '"none"',
      '"a-b"',
      '"Q1 (late), 2"',
    ]);
  });

  it('finds free words in key, title and labels', () => {
    expect(matches('', 'people GREET')).toBe(true);
    expect(matches('', 'demo-7')).toBe(true);
    expect(matches('', 'nobody')).toBe(false);
  });
});
