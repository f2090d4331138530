import 'fake-indexeddb/auto';
import { act, renderHook, waitFor } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { expect, it } from 'vitest';
import { keep, openDatabase } from './database';
import { returnDraft, useDraft } from './drafts';

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

it('keeps what is typed as soon as the field stands', async () => {
  openDatabase('ada');
  await keep('drafts', { id: 'at once', text: 'Half a thought', at: 0 });
  const { result } = renderHook(() => {
    const draft = useDraft('at once');
    // Before the effects that look for the draft.
    useLayoutEffect(() => draft.write('Q'), [draft.write]);
    return draft;
  });
  await waitFor(() => expect(result.current.ready).toBe(true));
  expect(result.current.text).toBe('Q');
});

it('takes a refused text back into an open field, above what was written since', async () => {
  openDatabase('ada');
  const { result } = renderHook(() => useDraft('refused'));
  await waitFor(() => expect(result.current.ready).toBe(true));
  await act(() => returnDraft('refused', 'Too long'));
  expect(result.current.text).toBe('Too long');
  act(() => result.current.clear());
  act(() => result.current.write('Something else'));
  await act(() => returnDraft('refused', 'Too long'));
  expect(result.current.text).toBe('Too long\n\nSomething else');
});

it('keeps a refused text, and what it was made from, for a field that is opened later', async () => {
  openDatabase('ada');
  await returnDraft('closed', 'Mine', 'Theirs');
  const { result } = renderHook(() => useDraft('closed', 'Newer'));
  await waitFor(() => expect(result.current.recovered).toBe(true));
  expect([result.current.text, result.current.base]).toEqual(['Mine', 'Theirs']);
});

it('puts a refused text into a field that was opened again but not written in', async () => {
  openDatabase('ada');
  const { result } = renderHook(() => useDraft('again', 'Old'));
  await waitFor(() => expect(result.current.ready).toBe(true));
  await act(() => returnDraft('again', 'Mine', 'Old'));
  expect([result.current.text, result.current.recovered]).toEqual(['Mine', true]);
});
