/**
 * Tells a text that the editor itself told, and that comes back to it later, from one that comes from elsewhere. Whoever
 * types is ahead of what is rendered, so a text of a moment ago must never replace what was typed since.
 */
export class Echo {
  /** Texts that the editor told and that have not come back, oldest first. */
  #told: string[] = [];
  #last: string;

  constructor(text: string) {
    this.#last = text;
  }

  told(text: string): void {
    this.#told.push(text);
  }

  /** Whether a text that is rendered is nothing new to the editor. */
  of(text: string): boolean {
    // Texts come back in the order in which they were told; some are passed over.
    const place = this.#told.indexOf(text);
    if (place < 0 && text !== this.#last) this.#told = [];
    else this.#told.splice(0, place + 1);
    const known = place >= 0 || text === this.#last;
    this.#last = text;
    return known;
  }
}
