import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Label } from '@/api/types';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { useCommands } from '@/commands/registry';
import { refresh } from '@/data/act';
import { labelsQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { Button, IconButton } from '@/ui/Button';
import { LabelDot } from '@/ui/Chip';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { Menu } from '@/ui/Menu';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, ProblemPanel } from '@/ui/states';
import { useValues } from '../settings/form';
import styles from '../settings/settings.module.css';
import { t as common } from '../settings/strings';
import type { OfProject } from './section';
import { t } from './strings';

type Asked = { what: 'edit' | 'merge' | 'delete'; label: Label } | { what: 'new' };

/** Colours and words for items; renaming and merging change the items too. */
export default function Labels({ slug, project, may, frozen }: OfProject) {
  const { data: labels, error, refetch } = useQuery(labelsQuery(slug, project));
  const [asked, ask] = useState<Asked>();
  const create = () => ask({ what: 'new' });
  const close = () => ask(undefined);
  useCommands(
    may ? [{ id: 'label.new', title: t('newLabel'), group: 'general', refusal: frozen, run: create }] : [],
  );
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!labels) return <Skeleton label={common('loading')} rows={6} height={40} />;
  const button = may && (
    <Button size="small" icon={Plus} refusal={frozen} onClick={create}>
      {t('newLabel')}
    </Button>
  );
  return (
    <Section
      title={t('labelsCount', { n: labels.length })}
      about={may ? t('labelsAbout') : t('readOnlyHere')}
      actions={button}
    >
      <div className={styles.card}>
        {labels.length === 0 && <p className={styles.empty}>{t('noLabel')}</p>}
        <Rows label={t('labels')}>
          {labels.map((label) => (
            <Row
              key={label.name}
              glyph={<LabelDot color={label.version > 0 ? label.color : undefined} />}
              title={plain(label.name)}
              detail={label.description ? plain(label.description) : undefined}
              facts={[t('onItems', { n: label.items })]}
              actions={
                may && (
                  <Menu
                    align="end"
                    entries={() => [
                      { label: t('edit'), refusal: frozen, run: () => ask({ what: 'edit', label }) },
                      {
                        label: t('merge'),
                        refusal: frozen ?? (labels.length < 2 ? t('noOtherLabel') : undefined),
                        run: () => ask({ what: 'merge', label }),
                      },
                      {
                        label: t('delete'),
                        danger: true,
                        refusal: frozen,
                        run: () => ask({ what: 'delete', label }),
                      },
                    ]}
                    trigger={(props) => (
                      <IconButton
                        {...props}
                        icon={Ellipsis}
                        size="small"
                        label={t('actionsFor', { name: plain(label.name) })}
                      />
                    )}
                  />
                )
              }
            />
          ))}
        </Rows>
      </div>
      {asked?.what === 'new' && <LabelForm slug={slug} project={project} onClose={close} />}
      {asked?.what === 'edit' && (
        <LabelForm slug={slug} project={project} label={asked.label} onClose={close} />
      )}
      {asked?.what === 'merge' && (
        <MergeLabel slug={slug} project={project} label={asked.label} labels={labels} onClose={close} />
      )}
      {asked?.what === 'delete' && (
        <DeleteLabel slug={slug} project={project} label={asked.label} onClose={close} />
      )}
    </Section>
  );
}

interface OfLabel {
  slug: string;
  project: string;
  label: Label;
  onClose: () => void;
}

/** A label that only items carry is defined first; then it is a label like any other. */
async function save(
  slug: string,
  project: string,
  label: Label | undefined,
  body: { name: string; color: string; description: string; merge?: boolean },
) {
  const path = { slug, key: project };
  if (!label || label.version === 0) {
    const { merge: _, ...made } = body;
    await data(http.POST('/api/v1/orgs/{slug}/projects/{key}/labels', { params: { path }, body: made }));
  } else {
    const params = { path: { ...path, name: label.name } };
    await data(
      http.PATCH('/api/v1/orgs/{slug}/projects/{key}/labels/{name}', {
        params,
        body: { version: label.version, ...body },
      }),
    );
  }
  await refresh(['labels', slug, project]);
}

function LabelForm({ slug, project, label, onClose }: Omit<OfLabel, 'label'> & { label?: Label }) {
  const { values, change, changed } = useValues({
    name: label?.name ?? '',
    color: label?.color || '#6b7280',
    description: label?.description ?? '',
  });
  const undefinedYet = label?.version === 0;
  const sending = useSending(async () => {
    await save(slug, project, label, { ...values, name: values.name.trim() });
    onClose();
  });
  const clash = isProblem(sending.error, 'already-exists', 'conflict');
  return (
    <Dialog
      open
      onClose={onClose}
      title={label ? t('editLabel', { name: plain(label.name) }) : t('newLabel')}
    >
      <form className={form.form} onSubmit={sending.onSubmit}>
        <div className={form.row}>
          <input
            type="color"
            className={styles.color}
            aria-label={t('color')}
            value={values.color}
            onChange={(event) => change({ color: event.target.value })}
          />
          <LabelDot color={values.color} />
        </div>
        <TextField
          label={t('name')}
          required
          disabled={undefinedYet}
          value={values.name}
          errors={sending.errorsOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextField
          label={t('description')}
          value={values.description}
          errors={sending.errorsOf('description')}
          onChange={(event) => change({ description: event.target.value })}
        />
        {clash && label && <Banner kind="info">{t('useMerge')}</Banner>}
        {sending.error !== undefined && <ProblemPanel error={sending.error} />}
        <div className={`${form.row} ${form.end}`}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            busy={sending.busy}
            disabled={label !== undefined && !changed && !undefinedYet}
          >
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function MergeLabel({ slug, project, label, labels, onClose }: OfLabel & { labels: readonly Label[] }) {
  const others = labels.filter((other) => other.name !== label.name);
  const [into, setInto] = useState(others[0]?.name ?? '');
  const merge = async () => {
    const target = others.find((other) => other.name === into);
    const params = { path: { slug, key: project, name: label.name } };
    const body = { version: label.version, name: target?.name ?? into, merge: true };
    await data(http.PATCH('/api/v1/orgs/{slug}/projects/{key}/labels/{name}', { params, body }));
    await refresh(['labels', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('mergeTitle', { name: plain(label.name) })}
      action={t('merge')}
      run={merge}
    >
      <SelectField
        label={t('mergeInto')}
        hint={t('mergeHint', { n: label.items })}
        value={into}
        onChange={(event) => setInto(event.target.value)}
      >
        {others.map((other) => (
          <option key={other.name} value={other.name}>
            {other.name}
          </option>
        ))}
      </SelectField>
    </Confirm>
  );
}

function DeleteLabel({ slug, project, label, onClose }: OfLabel) {
  const remove = async () => {
    await data(
      http.DELETE('/api/v1/orgs/{slug}/projects/{key}/labels/{name}', {
        params: { path: { slug, key: project, name: label.name } },
      }),
    );
    await refresh(['labels', slug, project]);
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('deleteTitle', { name: plain(label.name) })}
      action={t('delete')}
      run={remove}
    >
      <p>{t('deleteLabel', { n: label.items })}</p>
    </Confirm>
  );
}
