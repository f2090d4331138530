/** Where what a sentence of the service misses is made or mended. Pure. */

export interface Mend {
  label: 'addRunner' | 'runners' | 'agents' | 'playbooks' | 'settings' | 'budgets';
  to: string;
  /** What is done there: a command of that page. */
  command?: string;
}

const MENDS: [RegExp, Mend['label'], string, string?][] = [
  [/There is no runner yet/, 'addRunner', 'factory/runners', 'runner.new'],
  [/No runner is online|No online runner has|The chosen runner .*offline/, 'runners', 'factory/runners'],
  [/has no default playbook/, 'playbooks', 'factory/playbooks?project={project}'],
  [/has no default agent/, 'settings', 'p/{project}/settings/factory'],
  [/There is no agent|The agent .* (is disabled|was deleted)/, 'agents', 'factory/agents'],
  [/ budget for .* is used up/, 'budgets', 'factory/budgets'],
];

/** The page of what is missing; nothing for a sentence that misses nothing, or that this app does not know. */
export function mendOf(sentence: string, slug: string, project: string): Mend | undefined {
  const found = MENDS.find(([pattern]) => pattern.test(sentence));
  if (!found) return undefined;
  const [, label, path, command] = found;
  const to = `/o/${slug}/${path.replace('{project}', project)}`;
  return { label, to, ...(command && { command }) };
}
