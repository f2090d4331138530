import { useQuery } from '@tanstack/react-query';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import { projectsQuery } from '@/data/projects';
import {
  changeWebhook,
  createWebhook,
  type Webhook,
  type WebhookEvent,
  type WebhookWithSecret,
  webhooksQuery,
} from '@/data/webhooks';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import { EVENT_GROUPS, EVENTS, eventName } from './webhook-events';
import { t } from './webhook-strings';

interface WebhookFormProps {
  slug: string;
  /** The webhook that is changed; without, a new one is made. */
  webhook?: Webhook;
  onMade: (made: WebhookWithSecret) => void;
  onClose: () => void;
}

/** Where a webhook sends to, what, and of which projects. */
export function WebhookForm({ slug, webhook, onMade, onClose }: WebhookFormProps) {
  const { data: projects = [] } = useQuery(projectsQuery(slug));
  const { values, change } = useValues({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? ([] as WebhookEvent[]),
    projects: webhook?.projects ?? [],
    agentsWork: webhook?.agentsWork ?? false,
  });
  const sending = useSending(async () => {
    const { queryKey } = webhooksQuery(slug);
    const wanted = { ...values, name: values.name.trim(), url: values.url.trim() };
    try {
      if (webhook) await changeWebhook(slug, webhook, wanted);
      else onMade(await createWebhook(slug, wanted));
    } finally {
      // Also after a refusal: somebody may have changed it meanwhile.
      await refresh(queryKey);
    }
    onClose();
  });
  const offered = [
    ...projects.map(({ key, name }) => ({ key, name })),
    // One that is gone stays until it is taken out.
    ...values.projects
      .filter((key) => !projects.some((one) => one.key === key))
      .map((key) => ({ key, name: key })),
  ];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={webhook ? t('editTitle', { name: plain(webhook.name) }) : t('create')}
    >
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          maxLength={80}
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={({ target }) => change({ name: target.value })}
        />
        <TextField
          label={t('url')}
          hint={t('urlHint')}
          type="url"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="https://n8n.example.com/webhook/1"
          value={values.url}
          errors={sending.errorsOf('url')}
          onChange={({ target }) => change({ url: target.value })}
        />
        <fieldset className={form.form}>
          <legend>{t('events')}</legend>
          <CheckField
            label={t('everything')}
            checked={EVENTS.every((event) => values.events.includes(event))}
            onChange={({ target }) => change({ events: target.checked ? [...EVENTS] : [] })}
          />
          {EVENT_GROUPS.map(({ id, events }) => (
            <fieldset key={id}>
              <legend className="meta">{t(`group_${id}`)}</legend>
              <Checks
                of={events}
                chosen={values.events}
                nameOf={eventName}
                choose={(chosen) => change({ events: chosen })}
              />
            </fieldset>
          ))}
          <Wrong errors={sending.errorsOf('events')} />
        </fieldset>
        {offered.length > 0 && (
          <fieldset>
            <legend>{t('projects')}</legend>
            <p className="meta">{t('projectsHint')}</p>
            <Checks
              of={offered.map(({ key }) => key)}
              chosen={values.projects}
              nameOf={(key) => plain(offered.find((one) => one.key === key)?.name ?? key)}
              choose={(chosen) => change({ projects: chosen })}
            />
            <Wrong errors={sending.errorsOf('projects')} />
          </fieldset>
        )}
        <CheckField
          label={t('agentsWork')}
          hint={t('agentsWorkHint')}
          checked={values.agentsWork}
          onChange={({ target }) => change({ agentsWork: target.checked })}
        />
        <p className="meta">{t('answers')}</p>
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            busy={sending.busy}
            refusal={values.events.length === 0 ? t('noEvent') : undefined}
          >
            {webhook ? t('save') : t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChecksProps<Value extends string> {
  of: readonly Value[];
  chosen: readonly Value[];
  nameOf: (value: Value) => string;
  choose: (chosen: Value[]) => void;
}

function Checks<Value extends string>({ of, chosen, nameOf, choose }: ChecksProps<Value>) {
  return (
    <div className={styles.checks}>
      {of.map((value) => (
        <CheckField
          key={value}
          label={nameOf(value)}
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            choose(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
          }
        />
      ))}
    </div>
  );
}

function Wrong({ errors }: { errors: readonly string[] | undefined }) {
  return errors && errors.length > 0 ? <p role="alert">{errors.join(' ')}</p> : null;
}
