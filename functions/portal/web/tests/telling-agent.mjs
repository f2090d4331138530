#!/usr/bin/env node
// A scripted harness for journeys: the demo agent, which reports what a model would have cost, and writes a word of its
// own on stderr and among what it says.
import { spawn } from 'node:child_process';

const agent = spawn(process.env.DEMO_AGENT, process.argv.slice(2), { stdio: ['inherit', 'pipe', 'inherit'] });
if (!process.argv.includes('--version')) console.error('canary-log on stderr');
let rest = '';
agent.stdout.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) console.log(told(line));
});
agent.on('close', (code) => {
  process.exitCode = code ?? 1;
});

function told(line) {
  if (!line.startsWith('{')) return line;
  const event = JSON.parse(line);
  if (event.type !== 'result') return line;
  const usage = { ...event.usage, input_tokens: 1200, output_tokens: 3400 };
  return JSON.stringify({ ...event, result: `canary-outcome. ${event.result}`, total_cost_usd: 0.42, usage });
}
