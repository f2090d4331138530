/** A change on its way to the service. */
export interface Write<Input = unknown> {
  id: string;
  kind: string;
  /** Writes of a lane are sent in order. */
  lane: string;
  input: Input;
  /** Writes of one batch are shown together, and sent in one request where their kind can. */
  batch?: string | undefined;
  at: number;
  tab: string;
  /** Id of the account that wrote it. */
  account?: string | undefined;
}
