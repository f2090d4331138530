import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import type { ItemType, Priority, Template } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { templatesQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { outlined } from '@/lib/unmarked';
import { Button, IconButton } from '@/ui/Button';
import { LabelChip } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextArea, TextField } from '@/ui/Field';
import { PRIORITY_ORDER, priorityName, TYPE_ORDER, TypeGlyph, typeName } from '@/ui/glyphs';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

/** What new items begin with: description, priority and labels. */
export default function Templates({ slug, project, may, frozen }: OfProject) {
  const { data: templates, error, refetch } = useQuery(templatesQuery(slug, project));
  const [edited, edit] = useState<Template | 'new'>();
  const [removed, remove] = useState<Template>();
  const create = () => edit('new');
  useCommands(
    may
      ? [{ id: 'template.new', title: t('newTemplate'), group: 'general', refusal: frozen, run: create }]
      : [],
  );
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!templates) return <Skeleton label={common('loading')} rows={3} height={40} />;
  const button = may && (
    <Button size="small" icon={Plus} refusal={frozen} onClick={create}>
      {t('newTemplate')}
    </Button>
  );
  return (
    <Section
      title={t('templatesCount', { n: templates.length })}
      about={may ? t('templatesAbout') : t('readOnlyHere')}
      actions={button}
    >
      <div className={styles.card}>
        {templates.length === 0 && <p className={styles.empty}>{t('noTemplate')}</p>}
        <Rows label={t('templates')}>
          {templates.map((template) => (
            <Row
              key={template.id}
              glyph={<TypeGlyph type={template.type} />}
              title={plain(template.name)}
              tags={template.labels.map((label) => <LabelChip key={label} name={label} />)}
              detail={outlined(plain(template.body)).slice(0, 140)}
              facts={template.priority ? [priorityName(template.priority)] : []}
              actions={
                may && (
                  <Menu
                    align="end"
                    entries={() => [
                      { label: t('edit'), refusal: frozen, run: () => edit(template) },
                      { label: t('delete'), danger: true, refusal: frozen, run: () => remove(template) },
                    ]}
                    trigger={(props) => (
                      <IconButton
                        {...props}
                        icon={Ellipsis}
                        size="small"
                        label={t('actionsFor', { name: plain(template.name) })}
                      />
                    )}
                  />
                )
              }
            />
          ))}
        </Rows>
      </div>
      {edited && (
        <TemplateForm
          slug={slug}
          project={project}
          template={edited === 'new' ? undefined : edited}
          onClose={() => edit(undefined)}
        />
      )}
      {removed && (
        <DeleteTemplate slug={slug} project={project} template={removed} onClose={() => remove(undefined)} />
      )}
    </Section>
  );
}

function TemplateForm({
  slug,
  project,
  template,
  onClose,
}: {
  slug: string;
  project: string;
  template: Template | undefined;
  onClose: () => void;
}) {
  const { values, change, changed } = useValues({
    name: template?.name ?? '',
    type: (template?.type ?? 'task') as ItemType,
    priority: (template?.priority ?? '') as Priority | '',
    labels: template?.labels.join(', ') ?? '',
    body: template?.body ?? '',
  });
  const sending = useSending(async () => {
    const labels = values.labels
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean);
    const body = {
      name: values.name.trim(),
      type: values.type,
      priority: values.priority || null,
      labels,
      body: values.body,
    };
    const path = { slug, key: project };
    if (template) {
      const params = { path: { ...path, id: template.id } };
      await data(
        http.PATCH('/api/v1/orgs/{slug}/projects/{key}/templates/{id}', {
          params,
          body: { version: template.version, ...body },
        }),
      );
    } else {
      await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/templates', { params: { path }, body }));
    }
    await refresh(['templates', slug, project]);
    onClose();
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={template ? t('editTemplate', { name: plain(template.name) }) : t('newTemplate')}
    >
      <form className={form.form} onSubmit={sending.onSubmit}>
        <TextField
          label={t('name')}
          required
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <div className={styles.pair}>
          <SelectField
            label={t('type')}
            value={values.type}
            errors={sending.errorsOf('type')}
            onChange={(event) => change({ type: event.target.value as ItemType })}
          >
            {TYPE_ORDER.map((type) => (
              <option key={type} value={type}>
                {typeName(type)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('priority')}
            value={values.priority}
            errors={sending.errorsOf('priority')}
            onChange={(event) => change({ priority: event.target.value as Priority })}
          >
            <option value="">{t('noPriority')}</option>
            {PRIORITY_ORDER.map((priority) => (
              <option key={priority} value={priority}>
                {priorityName(priority)}
              </option>
            ))}
          </SelectField>
        </div>
        <TextField
          label={t('labels')}
          hint={t('commas')}
          value={values.labels}
          errors={sending.errorsOf('labels')}
          onChange={(event) => change({ labels: event.target.value })}
        />
        <TextArea
          label={t('templateBody')}
          rows={10}
          value={values.body}
          errors={sending.errorsOf('body')}
          onChange={(event) => change({ body: event.target.value })}
        />
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" busy={sending.busy} disabled={!changed}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DeleteTemplate({
  slug,
  project,
  template,
  onClose,
}: {
  slug: string;
  project: string;
  template: Template;
  onClose: () => void;
}) {
  const remove = async () => {
    const params = { path: { slug, key: project, id: template.id } };
    await data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/templates/{id}', { params }));
    await refresh(['templates', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(template.name) })}
      action={t('delete')}
      run={remove}
    >
      <p>{t('deleteTemplate')}</p>
    </Confirm>
  );
}
