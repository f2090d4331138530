/** Two letters for each project, by which it is told from the others. */

/** For each key the first two letters that no other has: its first, and the next one that is free. */
export function badgesOf(keys: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const badges = new Map<string, string>();
  // By their names, so that they do not depend on how projects are sorted or starred.
  for (const key of [...keys].sort()) {
    const [first = '', ...others] = key;
    const free = others.map((letter) => first + letter).find((badge) => !taken.has(badge));
    const badge = free ?? key.slice(0, 2);
    taken.add(badge);
    badges.set(key, badge);
  }
  return badges;
}
