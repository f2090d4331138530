import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { setTheme, type Theme, useTheme } from '@/app/theme';
import { setSingleKeys, singleKeys } from '@/commands/keys';
import { Button } from '@/ui/Button';
import { CheckField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import styles from '../settings/settings.module.css';
import { t } from './strings';

const THEMES: [Theme, typeof Sun][] = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
];

/** How the app looks and listens in this browser. */
export default function Appearance() {
  const theme = useTheme();
  const [keys, setKeys] = useState(singleKeys());
  const change = (on: boolean) => {
    setSingleKeys(on);
    setKeys(on);
  };
  return (
    <>
      <Section title={t('theme')} about={t('themeAbout')}>
        <div className={styles.themes}>
          {THEMES.map(([one, icon]) => (
            <Button
              key={one}
              icon={icon}
              kind={theme === one ? 'primary' : 'secondary'}
              aria-pressed={theme === one}
              onClick={() => setTheme(one)}
            >
              {t(`theme_${one}`)}
            </Button>
          ))}
        </div>
      </Section>
      <Section title={t('keyboard')}>
        <CheckField
          label={t('singleKeys')}
          hint={t('singleKeysHint')}
          checked={keys}
          onChange={(event) => change(event.target.checked)}
        />
      </Section>
    </>
  );
}
