import { expect, it } from 'vitest';
import { told } from './told';

it('reads what the service tells once', () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the service sets it
  document.cookie =
    'svc.told=title=The+request+conflicts.&detail=you+have+no+account+here%3B+ask+for+an+invitation&trace=4bf9; Path=/';
  expect(told()).toEqual({
    title: 'The request conflicts.',
    detail: 'you have no account here; ask for an invitation',
    trace: '4bf9',
  });
  expect(told()).toBeUndefined();
});
