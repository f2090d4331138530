import 'fake-indexeddb/auto';
import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { keep, openDatabase } from './database';
import { useDraft } from './drafts';

it('finds the draft from before', async () => {
  openDatabase('ada');
  await keep('drafts', { id: 'before', text: 'Half a thought', at: 0 });
  const { result } = renderHook(() => useDraft('before'));
  await waitFor(() => expect(result.current.ready).toBe(true));
  expect(result.current.text).toBe('Half a thought');
});

it('keeps what is typed while the draft is looked for', async () => {
  openDatabase('ada');
  const { result } = renderHook(() => useDraft('new'));
  act(() => result.current.write('Quick'));
  await waitFor(() => expect(result.current.ready).toBe(true));
  expect(result.current.text).toBe('Quick');
});
