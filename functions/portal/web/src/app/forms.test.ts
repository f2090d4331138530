import { describe, expect, it } from 'vitest';
import { detailOf, ProblemError } from '@/api/problem';
import { besides } from './forms';

const invalid = (errors: Record<string, string[]>, detail?: string) =>
  new ProblemError({
    type: 'validation-failed',
    title: 'Some fields are not valid.',
    status: 422,
    traceId: 't',
    errors,
    ...(detail && { detail }),
  });

describe('a problem with fields', () => {
  it('says the sentences of its fields, each once', () => {
    const errors = { path: ['Too deep.'], body: ['Too long.', 'Too deep.'] };
    expect(detailOf(invalid(errors).problem)).toBe('Too deep. Too long.');
    expect(detailOf(invalid({ path: ['Too deep.'] }, 'Mend it.').problem)).toBe('Mend it. Too deep.');
    expect(invalid(errors).message).toBe('Too deep. Too long.');
  });

  it('is shown by the form as far as no field shows it', () => {
    const error = invalid({ path: ['Too deep.'], body: ['Too long.'] });
    expect(besides(error, new Set(['path', 'body']))).toBeUndefined();
    expect(besides(error, new Set())).toBe(error);
    const rest = besides(error, new Set(['path'])) as ProblemError;
    expect(rest.problem.errors).toEqual({ body: ['Too long.'] });
    const other = new Error('no');
    expect(besides(other, new Set(['path']))).toBe(other);
  });
});
