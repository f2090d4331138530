import { useQuery } from '@tanstack/react-query';
import { useAccess, useItemAccess } from '@/app/access';
import { useLastProject } from '@/app/areas';
import { runsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { useLocal } from '@/lib/local';
import Readiness from './Readiness';
import styles from './Readiness.module.css';
import { useReadiness } from './useReadiness';

interface FirstStepsProps {
  slug: string;
  /** Beside other things: whoever wants no agents puts it away. */
  hides?: boolean;
}

/** What is to be done until an agent of the organization has done its first work, for the people who may do it. */
export default function FirstSteps({ slug, hides }: FirstStepsProps) {
  const { operate } = useAccess(slug);
  const [hidden, hide] = useLocal<string[]>('first-steps-hidden', []);
  const { data: runs } = useQuery({ ...runsQuery(slug, { pageSize: 100 }), enabled: operate });
  const { data: projects } = useQuery(projectsQuery(slug));
  const last = useLastProject(slug);
  const living = projects?.filter(({ archived }) => !archived);
  const project = (living?.find(({ key }) => key === last) ?? living?.[0])?.key;
  const { configure, frozen } = useItemAccess(slug, project);
  const worked = runs?.items.some(({ status }) => status === 'succeeded') ?? true;
  const wanted = operate && configure && !frozen && !worked && !(hides && hidden.includes(slug));
  const readiness = useReadiness(slug, wanted ? project : undefined);
  if (!readiness || readiness.missing.length === 0) return null;
  return (
    <div className={hides ? undefined : styles.page}>
      <Readiness slug={slug} {...readiness} onHide={hides ? () => hide([...hidden, slug]) : undefined} />
    </div>
  );
}
