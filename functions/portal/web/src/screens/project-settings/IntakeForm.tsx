import { useQuery } from '@tanstack/react-query';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { refresh } from '@/data/act';
import {
  changeIntake,
  createIntake,
  type Intake,
  type IntakeWithAddress,
  intakesQuery,
} from '@/data/intakes';
import { templatesQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { CheckField, SelectField, TextField } from '@/ui/Field';
import { ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import { t as common } from '../settings/strings';
import { t } from './intake-strings';

interface IntakeFormProps {
  slug: string;
  project: string;
  /** The intake that is changed; without, a new one is made. */
  intake: Intake | undefined;
  onMade: (made: IntakeWithAddress) => void;
  onClose: () => void;
}

/** What an intake makes of reports. */
export function IntakeForm({ slug, project, intake, onMade, onClose }: IntakeFormProps) {
  const { data: templates = [] } = useQuery(templatesQuery(slug, project));
  const { values, change } = useValues({
    name: intake?.name ?? '',
    template: intake?.template ?? '',
    title: intake?.mapping.title ?? '',
    body: intake?.mapping.body ?? '',
    labels: intake?.mapping.labels ?? '',
    key: intake?.mapping.key ?? '',
    commentsRepeats: intake?.commentsRepeats ?? false,
    commentsResolved: intake?.commentsResolved ?? true,
    closesResolved: intake?.closesResolved ?? false,
  });
  const sending = useSending(async () => {
    const { name, template, title, body, labels, key, ...rest } = values;
    const paths = Object.entries({ title, body, labels, key }).map(([field, path]) => [field, path.trim()]);
    const mapping = Object.fromEntries(paths.filter(([, path]) => path));
    const wanted = { ...rest, name: name.trim(), template: template || null, mapping };
    try {
      if (intake) await changeIntake(slug, project, intake, wanted);
      else onMade(await createIntake(slug, project, wanted));
    } finally {
      await refresh(intakesQuery(slug, project).queryKey);
    }
    onClose();
  });
  const path = (field: 'title' | 'body' | 'labels' | 'key', hint?: string) => (
    <TextField
      label={t(`${field}Field`)}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
      value={values[field]}
      errors={sending.errorsOf(`mapping.${field}`)}
      onChange={({ target }) => change({ [field]: target.value })}
    />
  );
  const check = (field: 'commentsRepeats' | 'commentsResolved' | 'closesResolved') => (
    <CheckField
      label={t(field)}
      checked={values[field]}
      onChange={({ target }) => change({ [field]: target.checked })}
    />
  );
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={intake ? t('editTitle', { name: plain(intake.name) }) : t('create')}
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
        <SelectField
          label={t('template')}
          value={values.template}
          errors={sending.errorsOf('template')}
          onChange={({ target }) => change({ template: target.value })}
        >
          <option value="">{t('noTemplate')}</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {plain(name)}
            </option>
          ))}
        </SelectField>
        <fieldset className={form.form}>
          <legend>{t('fields')}</legend>
          <p className="meta">{t('fieldsHint')}</p>
          {path('title')}
          {path('body')}
          {path('labels', t('labelsHint'))}
          {path('key', t('keyHint'))}
        </fieldset>
        {check('commentsRepeats')}
        {check('commentsResolved')}
        {check('closesResolved')}
        <p className="meta">{t('rights')}</p>
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={sending.busy}>
            {intake ? t('save') : t('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
