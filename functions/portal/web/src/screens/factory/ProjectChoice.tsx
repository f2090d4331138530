import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Project } from '@/api/types';
import { projectsQuery } from '@/data/projects';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import filters from '@/ui/Filters.module.css';
import { ProblemPanel } from '@/ui/states';
import styles from './factory.module.css';
import { t } from './strings';

/** The project that a page of the Factory is about: the one that the address names, else the first that is not archived. */
export function useProjectChoice(slug: string, named: string | undefined, operate: boolean) {
  const query = useQuery({ ...projectsQuery(slug), enabled: operate });
  const project = named ?? query.data?.find((candidate) => !candidate.archived)?.key;
  return { ...query, project };
}

interface ProjectChoiceProps {
  choice: ReturnType<typeof useProjectChoice>;
  onChoose: (project: string) => void;
  /** Shown where the organization has no project. */
  none: ReactNode;
  children: (project: string) => ReactNode;
}

/** The choice among projects, where there are several, over what belongs to the chosen one. */
export function ProjectChoice({ choice, onChoose, none, children }: ProjectChoiceProps) {
  const { data: projects, error, refetch, project } = choice;
  return (
    <>
      {projects && projects.length > 1 && <Select projects={projects} value={project} onChoose={onChoose} />}
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : project ? (
        children(project)
      ) : (
        projects && none
      )}
    </>
  );
}

interface SelectProps {
  projects: readonly Project[];
  value: string | undefined;
  onChoose: (project: string) => void;
}

function Select({ projects, value, onChoose }: SelectProps) {
  return (
    <div className={cx(filters.filters, styles.filters)}>
      <select aria-label={t('project')} value={value} onChange={(event) => onChoose(event.target.value)}>
        {projects.map(({ key, name }) => (
          <option key={key} value={key}>
            {plain(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
