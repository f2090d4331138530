import { useQuery } from '@tanstack/react-query';
import { isProblem } from '@/api/problem';
import { schedulePreviewQuery } from '@/data/schedules';
import { useSettled } from '@/lib/settled';
import { ZONE } from '@/runs/schedule';
import { SelectField, TextField } from '@/ui/Field';
import { expressionOf, inZone, RHYTHMS, type Rhythm, WEEKDAYS } from './rhythm';
import styles from './schedules.module.css';
import { t } from './strings';

/** What is typed is asked about when it rests. */
const RESTS = 300;

interface RhythmFieldsProps {
  slug: string;
  project: string;
  rhythm: Rhythm;
  zone: string;
  errors: readonly string[] | undefined;
  onRhythm: (rhythm: Rhythm) => void;
  zoneField: {
    errors: readonly string[] | undefined;
    onChange: (event: { target: { value: string } }) => void;
  };
}

/** How often, at what time and in which zone; beneath, when that is due next. */
export function RhythmFields(props: RhythmFieldsProps) {
  const { slug, project, rhythm, zone, errors, onRhythm, zoneField } = props;
  const { kind } = rhythm;
  // Another kind begins with what the one before meant.
  const choose = (next: Rhythm['kind']) =>
    onRhythm({ ...rhythm, kind: next, expression: next === 'custom' ? expressionOf(rhythm) : '' });
  return (
    <fieldset className={styles.rhythm}>
      <legend className="visually-hidden">{t('rhythm')}</legend>
      <SelectField
        label={t('rhythm')}
        value={kind}
        errors={kind === 'custom' ? undefined : errors}
        onChange={(event) => choose(event.target.value as Rhythm['kind'])}
      >
        {RHYTHMS.map((one) => (
          <option key={one} value={one}>
            {t(one)}
          </option>
        ))}
      </SelectField>
      {kind === 'weekly' && (
        <SelectField
          label={t('weekday')}
          value={rhythm.weekday}
          onChange={(event) => onRhythm({ ...rhythm, weekday: Number(event.target.value) })}
        >
          {WEEKDAYS.map((day, at) => (
            <option key={day} value={at}>
              {day}
            </option>
          ))}
        </SelectField>
      )}
      {kind === 'monthly' && (
        <SelectField
          label={t('day')}
          hint={rhythm.day > 28 ? t('dayHint') : undefined}
          value={rhythm.day}
          onChange={(event) => onRhythm({ ...rhythm, day: Number(event.target.value) })}
        >
          {Array.from({ length: 31 }, (_, before) => (
            <option key={before + 1}>{before + 1}</option>
          ))}
        </SelectField>
      )}
      {kind === 'custom' ? (
        <TextField
          label={t('expression')}
          hint={t('expressionHint')}
          errors={errors}
          required
          spellCheck={false}
          autoComplete="off"
          value={rhythm.expression}
          onChange={(event) => onRhythm({ ...rhythm, expression: event.target.value })}
        />
      ) : (
        <TextField
          label={t('time')}
          type="time"
          required
          value={rhythm.time}
          onChange={(event) => onRhythm({ ...rhythm, time: event.target.value })}
        />
      )}
      <TextField
        label={t('zone')}
        hint={t('zoneHint')}
        required
        list="schedule-zones"
        spellCheck={false}
        autoComplete="off"
        value={zone}
        {...zoneField}
      />
      <datalist id="schedule-zones">
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Due slug={slug} project={project} cron={expressionOf(rhythm)} zone={zone.trim()} />
    </fieldset>
  );
}

interface DueProps {
  slug: string;
  project: string;
  cron: string;
  zone: string;
}

/** The next three times, as the service tells them, or what is wrong with what is written so far. */
function Due({ slug, project, cron, zone }: DueProps) {
  const asked = useSettled(`${cron}\n${zone}`, RESTS).split('\n');
  const [settledCron = '', settledZone = ''] = asked;
  const { data, error } = useQuery({
    ...schedulePreviewQuery(slug, project, settledCron, settledZone),
    enabled: settledCron !== '' && settledZone !== '',
  });
  const wrong = isProblem(error, 'validation-failed')
    ? Object.values(error.problem.errors ?? {})
        .flat()
        .join(' ')
    : undefined;
  return (
    <div className={styles.due} aria-live="polite">
      <p className={styles.dueTitle}>{t('due')}</p>
      {error ? (
        <p>{wrong || t('notKnown')}</p>
      ) : (
        <ul>
          {data?.nextRuns.map((at) => {
            const there = inZone(at, settledZone);
            const here = inZone(at, ZONE);
            return (
              <li key={at}>
                <time dateTime={at}>{there}</time>
                {here !== there && <span className="meta"> {t('nextYours', { at: here })}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
