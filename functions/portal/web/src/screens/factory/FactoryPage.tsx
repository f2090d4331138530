import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { LinkTabs } from '@/ui/LinkTabs';
import { t } from './strings';

interface FactoryPageProps {
  title: string;
  crumbs?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

const AREAS = [
  ['overview', ''],
  ['runs', '/runs'],
  ['agents', '/agents'],
  ['runners', '/runners'],
  ['playbooks', '/playbooks'],
  ['rules', '/rules'],
  ['schedules', '/schedules'],
  ['budgets', '/budgets'],
  ['insights', '/insights'],
] as const;

/** The frame of the Factory's pages. For who is no operator there is no Factory. */
export function FactoryPage({ title, crumbs, actions, children }: FactoryPageProps) {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const path = useLocation({ select: (location) => location.pathname });
  if (!operate) return <Missing />;
  const root = `/o/${slug}/factory`;
  const tabs = AREAS.map(([area, below]) => {
    const href = root + below;
    const current = below === '' ? path.replace(/\/$/, '') === root : path.startsWith(href);
    return { label: t(area), href, current };
  });
  return (
    <Page title={title} crumbs={crumbs} actions={actions} bar={<LinkTabs label={t('factory')} tabs={tabs} />}>
      {children}
    </Page>
  );
}
