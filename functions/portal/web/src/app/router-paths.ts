/** Which paths of the route table exist: what is not built is not linked. */
let paths: ReadonlySet<string> = new Set();

export function setRoutePaths(all: Iterable<string>): void {
  paths = new Set([...all].map((path) => path.replace(/\/$/, '')));
}

/** Whether a path, as the route table writes it, leads to a screen. */
export function hasRoute(path: string): boolean {
  return paths.has(path);
}
