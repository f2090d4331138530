import type { WikiPage } from '@/data/wiki';

/** What is given to whatever shows a page. */
export interface OfPage {
  slug: string;
  project: string;
  page: WikiPage;
}
