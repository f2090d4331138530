/** What a project is made of, and the themes: named once for the sidebar, the phone's sheet and the palette. */
import {
  BookText,
  ChartLine,
  Flag,
  Gauge,
  IterationCcw,
  LayoutList,
  type LucideIcon,
  Map as MapIcon,
  Monitor,
  Moon,
  Settings,
  SquareKanban,
  Sun,
} from 'lucide-react';
import { useLocal } from '@/lib/local';
import type { Theme } from './theme';

export const PROJECT_AREAS: {
  path: string;
  icon: LucideIcon;
  label:
    | 'overview'
    | 'board'
    | 'list'
    | 'sprints'
    | 'milestones'
    | 'roadmap'
    | 'insights'
    | 'wiki'
    | 'settings';
}[] = [
  { path: 'overview', icon: Gauge, label: 'overview' },
  { path: 'board', icon: SquareKanban, label: 'board' },
  { path: 'list', icon: LayoutList, label: 'list' },
  { path: 'sprints', icon: IterationCcw, label: 'sprints' },
  { path: 'milestones', icon: Flag, label: 'milestones' },
  { path: 'roadmap', icon: MapIcon, label: 'roadmap' },
  { path: 'insights', icon: ChartLine, label: 'insights' },
  { path: 'wiki', icon: BookText, label: 'wiki' },
  { path: 'settings', icon: Settings, label: 'settings' },
];

export const THEMES: { theme: Theme; label: 'themeSystem' | 'themeLight' | 'themeDark'; icon: LucideIcon }[] =
  [
    { theme: 'system', label: 'themeSystem', icon: Monitor },
    { theme: 'light', label: 'themeLight', icon: Sun },
    { theme: 'dark', label: 'themeDark', icon: Moon },
  ];

/** Key of the project that was open last in an organization. */
export function useLastProject(slug: string | undefined): string | undefined {
  const [last] = useLocal<string | null>('project', null);
  return last?.startsWith(`${slug}/`) ? last.slice((slug?.length ?? 0) + 1) : undefined;
}
