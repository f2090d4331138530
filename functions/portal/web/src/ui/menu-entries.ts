import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** An entry of a menu. */
export interface MenuEntry {
  /** Tells entries of one label apart. */
  id?: string | undefined;
  label: string;
  icon?: LucideIcon | undefined;
  /** Drawn before the label where an icon does not say enough, such as a state's shape. */
  glyph?: ReactNode;
  keys?: string | undefined;
  run?: (() => void) | undefined;
  href?: string | undefined;
  danger?: boolean | undefined;
  checked?: boolean | undefined;
  /** Why it cannot be chosen now. */
  refusal?: string | undefined;
  entries?: MenuEntries | undefined;
}

/** Entries with lines between groups. */
export type MenuEntries = (MenuEntry | '-' | { heading: string })[];
