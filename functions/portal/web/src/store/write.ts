/** A change on its way to the service. */
export interface Write<Input = unknown> {
  id: string;
  kind: string;
  /** Writes of a lane are sent in order. */
  lane: string;
  input: Input;
  at: number;
  tab: string;
  /** Id of the account that wrote it. */
  account?: string | undefined;
}
