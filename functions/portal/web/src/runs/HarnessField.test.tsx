import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Runner } from '@/api/types';
import { HarnessField } from './HarnessField';
import type { Harness } from './harnesses';

afterEach(cleanup);

const runner = (id: string, harnesses: Harness[], disabled = false) =>
  ({ id, harnesses, disabled }) as unknown as Runner;
const RUNNERS = [
  runner('one', ['harness_1']),
  runner('two', ['harness_3']),
  runner('off', ['harness_5'], true),
];

function offered(own: Harness | undefined, only = '', runners: Runner[] | undefined = RUNNERS): string[] {
  const { unmount } = render(
    <HarnessField
      label="Harness"
      value=""
      own={own}
      runners={runners}
      runner={only}
      errors={undefined}
      onChange={() => {}}
    />,
  );
  const texts = screen.getAllByRole('option').map((option) => option.textContent ?? '');
  unmount();
  return texts;
}

it('begins with the playbook’s own, then offers what runners have, and marks the rest', () => {
  expect(offered('harness_1')).toEqual([
    'The playbook’s: Claude Code',
    'Claude Code',
    'opencode',
    'Codex CLI · on no runner',
    'Cursor CLI · on no runner',
    'GitHub Copilot CLI · on no runner',
  ]);
});

it('goes by the only runner that may take the run', () => {
  expect(offered('harness_1', 'two').slice(0, 3)).toEqual([
    'The playbook’s: Claude Code · not on this runner',
    'opencode',
    'Claude Code · not on this runner',
  ]);
});

it('marks all where there is no runner, and nothing while runners are not known', () => {
  expect(offered(undefined, '', []).filter((text) => text.endsWith('on no runner'))).toHaveLength(5);
  const { container } = render(
    <HarnessField
      label="Harness"
      value=""
      own={undefined}
      runners={undefined}
      runner=""
      errors={undefined}
      onChange={() => {}}
    />,
  );
  expect(container.textContent).not.toMatch(/on no runner/);
});
