import { useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Missing } from '@/app/States';
import { useMe } from '@/data/me';
import { lazyPart } from '@/lib/parts';
import { SettingsPage } from '../settings/SettingsPage';
import { type AccountSection, accountSections } from '../settings/sections';
import { t as common } from '../settings/strings';
import { t } from './strings';

const CONTENT = {
  profile: lazyPart(() => import('./Profile')),
  organizations: lazyPart(() => import('./Organizations')),
  notifications: lazyPart(() => import('./Notifications')),
  tokens: lazyPart(() => import('./Tokens')),
  sessions: lazyPart(() => import('./Sessions')),
  appearance: lazyPart(() => import('./Appearance')),
  instance: lazyPart(() => import('./Instance')),
} satisfies Record<AccountSection, ComponentType>;

/** The account: profile, organizations, notifications, access tokens, sessions, appearance; for its admins the instance. */
export default function Account() {
  const path = useLocation({ select: (location) => location.pathname });
  const sections = accountSections(useMe()).map((id) => ({ id, label: common(`section_${id}`) }));
  const current = sections.find((one) => path.endsWith(`/${one.id}`));
  if (!current) return <Missing />;
  const Content = CONTENT[current.id];
  return (
    <SettingsPage title={t('account')} root="/settings" sections={sections} current={current}>
      <Content />
    </SettingsPage>
  );
}
