/** What a section of the settings is given. */
export interface OfProject {
  slug: string;
  project: string;
  /** Whether the viewer may change what the section shows. */
  may: boolean;
  frozen: string | undefined;
}
