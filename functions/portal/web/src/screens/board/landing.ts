/** Where a dragged card would land. */
export interface Landing {
  key: string;
  state: string;
  lane: string;
  /** Key of the card that it comes after; null is first. */
  after: string | null;
}
