import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellOff, Bot, CircleDot, FolderKanban } from 'lucide-react';
import { useState } from 'react';
import { agentsQuery } from '@/data/factory';
import { useMe } from '@/data/me';
import { type Mute, settingsQuery, writeSettings } from '@/data/notifications';
import { plain, projectOf } from '@/lib/text';
import { setMuted } from '@/notifications/mutes';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { ProblemPanel } from '@/ui/states';
import { toastProblem } from '@/ui/toasts';
import settings from '../settings/settings.module.css';
import { t } from './notification-strings';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const ICONS = { item: CircleDot, project: FolderKanban, agent: Bot };

/** When the daily message comes, and what the person does not want to hear of. */
export function DigestAndMutes() {
  const { data: found, error, refetch } = useQuery(settingsQuery);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!found) return null;
  return (
    <>
      <Digest key={found.timeZone} hour={found.digestHour} zone={found.timeZone} />
      <Mutes mutes={found.mutes} />
    </>
  );
}

function Digest({ hour, zone }: { hour: number; zone: string }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(zone);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const write = async (change: { digestHour?: number; timeZone?: string }) => {
    try {
      client.setQueryData(settingsQuery.queryKey, await writeSettings(change));
    } catch (problem) {
      setTyped(zone);
      toastProblem(problem);
    }
  };
  return (
    <Section title={t('digest')} about={t('digestAbout')}>
      <div className={settings.pair}>
        <SelectField
          label={t('hour')}
          value={hour}
          onChange={({ target }) => void write({ digestHour: Number(target.value) })}
        >
          {HOURS.map((one) => (
            <option key={one} value={one}>
              {String(one).padStart(2, '0')}:00
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('zone')}
          hint={t('zoneHint')}
          value={typed}
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => typed.trim() !== zone && void write({ timeZone: typed.trim() })}
        />
      </div>
      {zone !== here && (
        <div>
          <Button size="small" onClick={() => void write({ timeZone: here })}>
            {t('useZone', { zone: here })}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Mutes({ mutes }: { mutes: readonly Mute[] }) {
  const { organizations } = useMe();
  const operated = organizations.filter(
    ({ canOperateFactory }) => canOperateFactory && mutes.some(({ what }) => what === 'agent'),
  );
  const agents = useQueries({
    queries: operated.map(({ slug }) => agentsQuery(slug)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  const nameOf = (mute: Mute) =>
    mute.what === 'agent'
      ? plain(agents.find(({ id }) => id === mute.agentId)?.name ?? t('anAgent'))
      : (mute.key ?? '');
  const hrefOf = ({ what, organizationId, key }: Mute) => {
    const slug = organizations.find(({ id }) => id === organizationId)?.slug;
    if (!slug || !key) return undefined;
    return what === 'item' ? `/o/${slug}/p/${projectOf(key)}/items/${key}` : `/o/${slug}/p/${key}/list`;
  };
  return (
    <Section title={t('mutes')} about={t('mutesAbout')}>
      <div className={settings.card}>
        {mutes.length === 0 && <p className={settings.empty}>{t('noMute')}</p>}
        <Rows label={t('mutes')}>
          {mutes.map((mute) => {
            const name = nameOf(mute);
            return (
              <Row
                key={`${mute.what} ${mute.organizationId} ${mute.key} ${mute.agentId}`}
                glyph={<Icon of={ICONS[mute.what] ?? BellOff} size={14} />}
                title={name}
                href={hrefOf(mute)}
                detail={t(`what_${mute.what}`)}
                actions={
                  <Button
                    size="small"
                    aria-label={`${t('unmute')}: ${name}`}
                    onClick={() => void setMuted(mute, false, name)}
                  >
                    {t('unmute')}
                  </Button>
                }
              />
            );
          })}
        </Rows>
      </div>
    </Section>
  );
}
