import { useState } from 'react';
import { CopyField, SecretOnce } from '@/ui/CopyField';
import { Tabs } from '@/ui/LinkTabs';
import { mapCommand, type Platform, platformHere, registerCommand, SERVICE, START } from './commands';
import styles from './connect.module.css';
import { t } from './strings';

interface ConnectStepsProps {
  secret: string;
  /** Key of a project whose clone is on the machine. */
  project: string;
}

const PLATFORMS: { id: Platform; label: string }[] = [
  { id: 'linux', label: 'Linux' },
  { id: 'macos', label: 'macOS' },
  { id: 'windows', label: 'Windows' },
];

/** What connects a machine, from the secret to a service, by platform. */
export function ConnectSteps({ secret, project }: ConnectStepsProps) {
  const [platform, choose] = useState(platformHere);
  const steps: [string, string][] = [
    [t('stepRegister'), registerCommand(secret, platform)],
    [t('stepMap'), mapCommand(project)],
    [t('stepStart'), START],
    [t('stepService'), SERVICE[platform]],
  ];
  return (
    <>
      <SecretOnce label={t('secret')} value={secret} />
      <div className={styles.platforms}>
        <Tabs label={t('platform')} tabs={PLATFORMS} current={platform} onChange={choose} panel="connect" />
      </div>
      <div id="connect" role="tabpanel">
        <ol className={styles.steps}>
          {steps.map(([label, command]) => (
            <li key={label}>
              <p>{label}</p>
              <CopyField label={label} value={command} lines />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
