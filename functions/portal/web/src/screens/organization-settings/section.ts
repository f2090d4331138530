import type { Organization } from '@/api/types';

/** What a section of the settings is given. */
export interface OfOrganization {
  slug: string;
  organization: Organization;
  administer: boolean;
  frozen: string | undefined;
}
