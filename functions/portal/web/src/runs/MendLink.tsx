import { Link } from '@tanstack/react-router';
import { address } from '@/lib/address';
import { mendOf } from './mend';
import { t } from './readiness-strings';

interface MendLinkProps {
  /** What the service says. */
  sentence: string;
  slug: string;
  project: string;
}

/** Leads from a sentence that names something missing to where it is made. Only for operators: others cannot go there. */
export function MendLink({ sentence, slug, project }: MendLinkProps) {
  const mend = mendOf(sentence, slug, project);
  if (!mend) return null;
  return (
    <>
      {' '}
      <Link
        {...address(mend.to)}
        {...(mend.command && { state: { command: mend.command } })}
        className="link"
      >
        {t(mend.label)}
      </Link>
    </>
  );
}
