const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** "DEMO-1, DEMO-2, and DEMO-3". */
export const listed = (names: readonly string[]): string => list.format(names);
