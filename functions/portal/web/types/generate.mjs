// Writes src/api/schema.d.ts from the API's document.
//
// Schemas that only requests use lose their `default`s first: a field with a default may be left out of a request,
// but the generator takes every field with a default for one that is always there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const source = new URL('../../openapi/v1.json', import.meta.url);
const target = new URL('../src/api/schema.d.ts', import.meta.url);

const document = JSON.parse(readFileSync(source, 'utf8'));
const answered = reachable(document, answers(document));
for (const [name, schema] of Object.entries(document.components.schemas)) {
  if (!answered.has(`schemas/${name}`)) withoutDefaults(schema);
}

const types = astToString(await openapiTS(document, { alphabetize: true }));
const text = `// Generated from openapi/v1.json by types/generate.mjs. Do not edit.\n${types}`;
mkdirSync(new URL('.', target), { recursive: true });
if (previous() !== text) writeFileSync(target, text);

function previous() {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return undefined;
  }
}

/** Every part of the document that describes an answer. */
function answers(api) {
  return Object.values(api.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.responses ?? {}),
  );
}

/** The components that these parts use, directly or through others, such as `schemas/Item`. */
function reachable(api, parts) {
  const found = new Set();
  const waiting = [...parts];
  while (waiting.length > 0) {
    for (const name of references(waiting.pop())) {
      if (found.has(name)) continue;
      found.add(name);
      const [kind, own] = name.split('/');
      waiting.push(api.components[kind][own]);
    }
  }
  return found;
}

function references(part) {
  const text = JSON.stringify(part ?? null);
  return [...text.matchAll(/"#\/components\/([^"]+)"/g)].map((match) => match[1]);
}

function withoutDefaults(part) {
  if (typeof part !== 'object' || part === null) return;
  delete part.default;
  for (const inner of Object.values(part)) withoutDefaults(inner);
}
