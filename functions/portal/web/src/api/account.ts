/**
 * The account that this page is for. Waiting changes are sent only as the one that made them, and every change names it
 * for the service, which may refuse it where somebody else has signed in meanwhile.
 */
let account: string | undefined;

export function accountOfPage(): string | undefined {
  return account;
}

export function setAccountOfPage(id: string | undefined): void {
  account = id;
}

/** What a change made with the session carries. */
export function changeHeaders(): Record<string, string> {
  return { 'X-Svc-Request': '1', ...(account === undefined ? {} : { 'X-Svc-Account': account }) };
}
