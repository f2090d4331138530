import { useLocation } from '@tanstack/react-router';
import { lazy } from 'react';
import { Missing } from '@/app/States';
import { SettingsPage } from '../settings/SettingsPage';
import { t } from './strings';

const SECTIONS = {
  profile: lazy(() => import('./Profile')),
  organizations: lazy(() => import('./Organizations')),
  tokens: lazy(() => import('./Tokens')),
  sessions: lazy(() => import('./Sessions')),
  appearance: lazy(() => import('./Appearance')),
};

type Id = keyof typeof SECTIONS;

/** The account: profile, organizations, access tokens, sessions, appearance. */
export default function Account() {
  const path = useLocation({ select: (location) => location.pathname });
  const sections = (Object.keys(SECTIONS) as Id[]).map((id) => ({ id, label: t(id) }));
  const current = sections.find((one) => path.endsWith(`/${one.id}`));
  if (!current) return <Missing />;
  const Section = SECTIONS[current.id];
  return (
    <SettingsPage title={t('account')} root="/settings" sections={sections} current={current}>
      <Section />
    </SettingsPage>
  );
}
