/** What is asked for when a view is saved, edited or deleted, and the list of all views. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { isProblem } from '@/api/problem';
import type { SavedView } from '@/api/types';
import { useItemAccess } from '@/app/access';
import form from '@/app/form.module.css';
import { useSending } from '@/app/forms';
import { FormProblem } from '@/app/Outside';
import { refresh } from '@/data/act';
import { useMe } from '@/data/me';
import { viewsQuery } from '@/data/views';
import { type Listed, servedSort } from '@/filter/listed';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { Dialog } from '@/ui/Dialog';
import { CheckField, TextField } from '@/ui/Field';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { toast } from '@/ui/toasts';
import { changeView, deleteView, makeView, type Named, type ViewPlace } from './changes';
import { t } from './strings';

const LONGEST_NAME = 80;

interface ViewDialogsProps extends ViewPlace {
  listed: Listed;
  begin: 'save' | 'manage';
  onOpen: (view: SavedView) => void;
  onClose: () => void;
}

type Shown = { kind: 'save' | 'manage' } | { kind: 'edit' | 'delete'; view: SavedView };

/** One dialog at a time: to save what is shown, or the list of views and what is done from there. */
export default function ViewDialogs({ slug, project, listed, begin, onOpen, onClose }: ViewDialogsProps) {
  const [shown, setShown] = useState<Shown>({ kind: begin });
  const manage = () => setShown({ kind: 'manage' });
  const { queryKey } = viewsQuery(slug, project);
  const place = { slug, project };
  if (shown.kind === 'delete') {
    const { view } = shown;
    const run = async () => {
      try {
        await deleteView(place, view);
      } catch (problem) {
        // Somebody else deleted it meanwhile.
        if (!isProblem(problem, 'not-found')) throw problem;
      }
      await refresh(queryKey);
    };
    return (
      <Confirm
        open
        onClose={manage}
        title={t('deleteTitle', { name: plain(view.name) })}
        action={t('delete')}
        run={run}
      >
        <p>{t(!view.shared ? 'deleteOwn' : project === undefined ? 'deleteSharedInOrg' : 'deleteShared')}</p>
      </Confirm>
    );
  }
  if (shown.kind === 'edit') {
    const { view } = shown;
    const send = async (named: Named) => {
      await changeView(place, view, { named });
      manage();
    };
    return <ViewForm {...place} title={t('editTitle')} view={view} onClose={manage} send={send} />;
  }
  if (shown.kind === 'save') {
    const send = async (named: Named) => {
      const view = await makeView(place, named, listed);
      toast(t('saved', { name: plain(view.name) }));
      onOpen(view);
      onClose();
    };
    const lost = listed.sort !== '' && servedSort(listed.sort) === undefined;
    return (
      <ViewForm
        {...place}
        title={t('saveTitle')}
        hint={t(lost ? 'orderLost' : project === undefined ? 'aboutInOrg' : 'about')}
        onClose={onClose}
        send={send}
      />
    );
  }
  const open = (view: SavedView) => {
    onOpen(view);
    onClose();
  };
  return <Manage {...place} onOpen={open} onShow={setShown} onClose={onClose} />;
}

interface ViewFormProps extends ViewPlace {
  title: string;
  hint?: string;
  /** The view that is edited; none where one is made. */
  view?: SavedView;
  send: (named: Named) => Promise<unknown>;
  onClose: () => void;
}

function ViewForm({ slug, project, title, hint, view, send, onClose }: ViewFormProps) {
  const id = useId();
  const me = useMe();
  const { write } = useItemAccess(slug, project);
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const { queryKey } = viewsQuery(slug, project);
  const { busy, error, errorsOf, onSubmit } = useSending(async () => {
    try {
      await send({ name, shared });
    } finally {
      void refresh(queryKey);
    }
  });
  // Guests share nothing, and only the person who made a shared view can make it personal.
  const mayShare = write && (!view?.shared || view.createdBy.id === me.id);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      foot={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={id} kind="primary" busy={busy}>
            {t('saveButton')}
          </Button>
        </>
      }
    >
      <form id={id} className={form.form} onSubmit={onSubmit}>
        <TextField
          label={t('name')}
          hint={hint}
          autoFocus
          required
          maxLength={LONGEST_NAME}
          placeholder={t('namePlaceholder')}
          value={name}
          errors={errorsOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        {mayShare && (
          <CheckField
            label={t(project === undefined ? 'shareInOrg' : 'share')}
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
        )}
        <FormProblem error={error} />
      </form>
    </Dialog>
  );
}

interface ManageProps extends ViewPlace {
  onOpen: (view: SavedView) => void;
  onShow: (shown: Shown) => void;
  onClose: () => void;
}

function Manage({ slug, project, onOpen, onShow, onClose }: ManageProps) {
  const { data: views, error, refetch } = useQuery(viewsQuery(slug, project));
  const { frozen } = useItemAccess(slug, project);
  return (
    <Dialog open wide onClose={onClose} title={t(project === undefined ? 'manageInOrgTitle' : 'manageTitle')}>
      {error && !views ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !views ? (
        <Skeleton label={t('loading')} rows={3} height={40} />
      ) : views.length === 0 ? (
        <EmptyState title={t('empty')} />
      ) : (
        <Rows label={t('views')}>
          {views.map((view) => (
            <Row
              key={view.id}
              title={plain(view.name)}
              detail={`${view.shared ? t('by', { name: plain(view.createdBy.name) }) : t('personal')} · ${termsOf(view)}`}
              actions={
                <>
                  <Button
                    size="small"
                    aria-label={`${t('open')} ${plain(view.name)}`}
                    onClick={() => onOpen(view)}
                  >
                    {t('open')}
                  </Button>
                  {view.canEdit && (
                    <>
                      <Button
                        size="small"
                        kind="ghost"
                        refusal={frozen}
                        aria-label={t('editView', { name: plain(view.name) })}
                        onClick={() => onShow({ kind: 'edit', view })}
                      >
                        {t('edit')}
                      </Button>
                      <Button
                        size="small"
                        kind="ghost"
                        refusal={frozen}
                        aria-label={t('deleteView', { name: plain(view.name) })}
                        onClick={() => onShow({ kind: 'delete', view })}
                      >
                        {t('delete')}
                      </Button>
                    </>
                  )}
                </>
              }
            />
          ))}
        </Rows>
      )}
    </Dialog>
  );
}

/** The terms and words of a view, as they are typed. */
function termsOf({ filter, q }: SavedView): string {
  return plain([filter, q].filter(Boolean).join(' ')) || t('all');
}
