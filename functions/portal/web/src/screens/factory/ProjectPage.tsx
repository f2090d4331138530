import type { LucideIcon } from 'lucide-react';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAccess, useItemAccess } from '@/app/access';
import { useRouteParams, useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/states';
import { FactoryPage } from './FactoryPage';
import { ProjectChoice, useProjectChoice } from './ProjectChoice';

/** What somebody asked to do: make a thing, or change or delete one that there is. */
export type Asked<Thing> = 'new' | { edit: Thing } | { remove: Thing };

/** What the list of a project's things is given. */
export interface ListProps<Thing> {
  slug: string;
  project: string;
  configure: boolean;
  frozen: string | undefined;
  ask: (asked: Asked<Thing>) => void;
}

interface ProjectPageProps<Thing> {
  title: string;
  icon: LucideIcon;
  /** The button and the command that make a new one, and the id of the command. */
  make: string;
  command: string;
  /** Said where the organization has no project. */
  noProject: string;
  /** Parameters of the address that mean nothing in another project. */
  own: readonly string[];
  list: (props: ListProps<Thing>) => ReactNode;
  dialog: (asked: Asked<Thing>, about: { slug: string; project: string; onClose: () => void }) => ReactNode;
}

/** A page of the Factory about the things of one project, which its Admins make, change and delete in dialogs. */
export function ProjectPage<Thing>(props: ProjectPageProps<Thing>) {
  const { title, icon, make, command, noProject, own, list, dialog } = props;
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const choice = useProjectChoice(slug, search.project, operate);
  const { project } = choice;
  const { configure, frozen } = useItemAccess(slug, project);
  const [asked, ask] = useState<Asked<Thing>>();
  const may = project !== undefined && configure;
  const create = () => ask('new');
  useCommands(may ? [{ id: command, title: make, group: 'general', refusal: frozen, run: create }] : []);
  const choose = (next: string) =>
    change({ ...Object.fromEntries(own.map((name) => [name, ''])), project: next });
  return (
    <FactoryPage
      title={title}
      actions={
        may && (
          <Button icon={Plus} size="small" kind="primary" refusal={frozen} onClick={create}>
            {make}
          </Button>
        )
      }
    >
      <ProjectChoice choice={choice} onChoose={choose} none={<EmptyState icon={icon} title={noProject} />}>
        {(key) => list({ slug, project: key, configure, frozen, ask })}
      </ProjectChoice>
      {project && asked && dialog(asked, { slug, project, onClose: () => ask(undefined) })}
    </FactoryPage>
  );
}
