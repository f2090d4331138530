import { describe, expect, it } from 'vitest';
import { browserOf } from '@/lib/browser';
import { mcpSnippet } from './mcp';

describe('browser', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      'Chrome · Linux',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605 (KHTML, like Gecko) Version/17 Safari/605',
      'Safari · macOS',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140', 'Edge · Windows'],
    ['curl/8.0', 'curl/8.0'],
    ['', undefined],
  ])('%s', (agent, name) => {
    expect(browserOf(agent)).toBe(name);
  });
});

describe('mcp', () => {
  it('is a configuration that a client reads', () => {
    expect(JSON.parse(mcpSnippet('svp_x', 'https://svc.example'))).toEqual({
      mcpServers: {
        svc: { type: 'http', url: 'https://svc.example/mcp', headers: { Authorization: 'Bearer svp_x' } },
      },
    });
  });
});
