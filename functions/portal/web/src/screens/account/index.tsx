import { useLocation } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import { Missing } from '@/app/States';
import { SettingsPage } from '../settings/SettingsPage';
import { ACCOUNT_SECTIONS, type AccountSection } from '../settings/sections';
import { t as common } from '../settings/strings';
import { t } from './strings';

const CONTENT = {
  profile: lazy(() => import('./Profile')),
  organizations: lazy(() => import('./Organizations')),
  notifications: lazy(() => import('./Notifications')),
  tokens: lazy(() => import('./Tokens')),
  sessions: lazy(() => import('./Sessions')),
  appearance: lazy(() => import('./Appearance')),
} satisfies Record<AccountSection, ComponentType>;

/** The account: profile, organizations, notifications, access tokens, sessions, appearance. */
export default function Account() {
  const path = useLocation({ select: (location) => location.pathname });
  const sections = ACCOUNT_SECTIONS.map((id) => ({ id, label: common(`section_${id}`) }));
  const current = sections.find((one) => path.endsWith(`/${one.id}`));
  if (!current) return <Missing />;
  const Content = CONTENT[current.id];
  return (
    <SettingsPage title={t('account')} root="/settings" sections={sections} current={current}>
      <Content />
    </SettingsPage>
  );
}
