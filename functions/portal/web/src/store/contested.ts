/** Which fields two people changed at once. A text is merged by line (`merge.ts`); the rest is a question to the person. */

/** Fields of which both sides have a new and different value. */
export function contested<T extends object>(fields: Partial<T>, before: Partial<T>, now: T): (keyof T)[] {
  return (Object.keys(fields) as (keyof T)[]).filter(
    (field) => !same(now[field], before[field]) && !same(now[field], fields[field]),
  );
}

/** Whether two values of fields are the same. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
