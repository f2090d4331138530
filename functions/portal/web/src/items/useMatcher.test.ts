import { expect, it } from 'vitest';
import { offline, ProblemError } from '@/api/problem';
import { wrongTerm } from './useMatcher';

const refusal = (type: string) =>
  new ProblemError({
    type,
    title: 'A query parameter is not valid.',
    status: 400,
    traceId: '',
    errors: { filter: ['No field "colour".'] },
  });

it('calls a term wrong that the service does not understand, with its sentence', () => {
  expect(wrongTerm('colour:red', refusal('invalid-query'))).toEqual([
    { term: 'colour:red', reason: 'No field "colour".' },
  ]);
});

it('calls no term wrong that was not answered', () => {
  expect(wrongTerm('due:today', offline())).toEqual([]);
  expect(wrongTerm('due:today', refusal('rate-limited'))).toEqual([]);
  expect(wrongTerm('due:today', null)).toEqual([]);
});
