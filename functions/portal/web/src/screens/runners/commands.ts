/** The commands that connect a machine, ready to paste into its terminal. */

export type Platform = 'linux' | 'macos' | 'windows';

/** Registers the machine. The secret is in the environment: others on the machine can see arguments. */
export function registerCommand(secret: string, platform: Platform, origin = location.origin): string {
  const register = `svc runner register --url ${origin}`;
  return platform === 'windows'
    ? `$env:SVC_RUNNER_TOKEN="${secret}"; ${register}`
    : `SVC_RUNNER_TOKEN=${secret} ${register}`;
}

/** Where the project's clone is on that machine. */
export function mapCommand(project: string): string {
  return `svc runner map ${project} /path/to/clone`;
}

/** Takes runs as long as the terminal is open. */
export const START = 'svc runner start';

/** Takes runs from now on, also after the machine was started again. */
export const SERVICE: Record<Platform, string> = {
  linux: [
    'mkdir -p ~/.config/systemd/user',
    'svc runner install-service > ~/.config/systemd/user/svc-runner.service',
    'systemctl --user daemon-reload && systemctl --user enable --now svc-runner',
    'loginctl enable-linger',
  ].join('\n'),
  macos: [
    'svc runner install-service > ~/Library/LaunchAgents/svc.runner.plist',
    'launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/svc.runner.plist',
  ].join('\n'),
  windows: [
    'svc runner install-service > svc-runner.xml',
    'schtasks /create /tn svc-runner /xml svc-runner.xml',
  ].join('\n'),
};

/** The platform of the browser: most often the one of the machine too. */
export function platformHere(agent = navigator.userAgent): Platform {
  if (/Windows/.test(agent)) return 'windows';
  return /Mac OS|Macintosh/.test(agent) ? 'macos' : 'linux';
}
