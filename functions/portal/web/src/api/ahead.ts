/** What `public/before.js` asked the service for while the app's files were loading. */

declare global {
  var svcAhead: { path: string; answer: Promise<Response> } | undefined;
}

/**
 * The answer to a request that was sent ahead, once; nothing for any other request. A refusal is not taken for an answer:
 * what was deleted then may have been restored since.
 */
export function askedAhead(request: Request): Promise<Response> | undefined {
  const { method, url } = request;
  const ahead = globalThis.svcAhead;
  if (!ahead || method !== 'GET' || new URL(url).pathname !== ahead.path) return undefined;
  globalThis.svcAhead = undefined;
  return ahead.answer.then((answer) => (answer.ok ? answer : fetch(request)));
}
