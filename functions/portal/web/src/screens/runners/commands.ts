/** The commands that connect a machine, ready to paste. Names come quoted for a shell. */

export function registerCommand(secret: string, origin = location.origin): string {
  return `svc runner register --url ${origin} --token ${secret}`;
}

/** Where the project's clone is on that machine. */
export function mapCommand(project: string): string {
  return `svc runner map ${project} /path/to/clone`;
}

export const START = 'svc runner start';
