/**
 * The only place that makes HTML and script addresses out of text. The content security policy asks for Trusted
 * Types, so that nothing else can.
 *
 * HTML comes from the service alone (`render=html`), which leaves in it only what is safe to show.
 */

interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

interface Factory {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    const address = new URL(url, location.origin);
    if (address.origin !== location.origin) throw new Error('Scripts come from this service only.');
    return address.href;
  },
};

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory ? factory.createPolicy('svc', rules) : rules;

/** Shows HTML that the service rendered, in place of what the element holds. */
export function showRendered(element: Element, html: string): void {
  element.innerHTML = policy.createHTML(html);
}

/** Address of a worker of this app. */
export function workerAddress(url: string): string {
  return policy.createScriptURL(url);
}
