#!/usr/bin/env node
// A scripted harness for journeys: it refines tickets through the API as an agent would, and leaves the rest to the
// demo agent. The first round asks; a later one, which is given answers or a note, proposes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const input = args.includes('--version') ? '' : readFileSync(0, 'utf8');
const key = /svc refine submit (\S+)/.exec(input)?.[1];
if (key) await submit(key);
const { status } = spawnSync(process.env.DEMO_AGENT, args, { input, stdio: ['pipe', 'inherit', 'inherit'] });
process.exitCode = status ?? 1;

async function submit(item) {
  const { SVC_URL: url, SVC_ORG: org = 'demo', SVC_TOKEN: token } = process.env;
  const answered = input.includes('By their first name');
  const body = answered
    ? {
        proposal: {
          title: 'Greet people by their first name',
          description:
            'As a visitor I am greeted.\n\n- [ ] The first name is used\n- [ ] Without a name: "Hello"',
          priority: 'high',
          labels: ['greeting'],
        },
      }
    : { questions: ['By which name are people greeted?', 'What if there is none?'] };
  const response = await fetch(`${url}/api/v1/orgs/${org}/items/${item}/refinement/submission`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) console.error(`refinement: ${response.status} ${await response.text()}`);
}
