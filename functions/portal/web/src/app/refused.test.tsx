import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ProblemError } from '@/api/problem';
import { TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { useSending } from './forms';

const refusal = (errors: Record<string, string[]>) =>
  new ProblemError({ type: 'validation-failed', title: 'Not valid.', status: 422, traceId: '', errors });

const seen: string[] = [];
Element.prototype.scrollIntoView = function (this: Element) {
  seen.push(this.textContent ?? '');
};
afterEach(() => {
  seen.length = 0;
});

function Form({ send }: { send: () => Promise<unknown> }) {
  const sending = useSending(send);
  return (
    <form aria-label="Form" onSubmit={sending.onSubmit}>
      <TextField label="Name" errors={sending.errorsOf('name')} />
      <TextField label="Address" hint="With https." errors={sending.errorsOf('url')} />
      {sending.error !== undefined && <ProblemPanel error={sending.error} />}
    </form>
  );
}

const submit = () => fireEvent.submit(screen.getByRole('form'));

it('leads to the first field that was refused', async () => {
  render(<Form send={() => Promise.reject(refusal({ url: ['It is private.'] }))} />);
  submit();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Address')));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says what is wrong with the field that has the focus already', async () => {
  render(<Form send={() => Promise.reject(refusal({ url: ['It is private.'] }))} />);
  screen.getByLabelText('Address').focus();
  submit();
  await waitFor(() => expect(document.querySelector('[data-announcer]')?.textContent).toBe('It is private.'));
});

it('brings into sight what no field says, each time', async () => {
  const send = vi.fn(() => Promise.reject(refusal({ other: ['There are too many.'] })));
  render(<Form send={send} />);
  submit();
  await waitFor(() => expect(seen).toEqual([expect.stringContaining('There are too many.')]));
  submit();
  await waitFor(() => expect(seen).toHaveLength(2));
});

it('leaves a page where it is whose content cannot be shown', () => {
  render(<ProblemPanel error={refusal({})} />);
  expect(seen).toEqual([]);
});
