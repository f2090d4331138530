#!/usr/bin/env node
// A scripted harness for journeys: the demo agent, which calls tools as a coding agent does: one that answers much, one
// that fails, and one that writes the file that the demo agent changes.
import { spawn } from 'node:child_process';

const agent = spawn(process.env.DEMO_AGENT, process.argv.slice(2), { stdio: ['inherit', 'pipe', 'inherit'] });
let begun = process.argv.includes('--version');
let rest = '';
agent.stdout.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    console.log(line);
    if (begun || !line.startsWith('{') || JSON.parse(line).subtype !== 'init') continue;
    begun = true;
    call('Bash', { command: 'ls -la' }, 'README.md\nsrc\ntests');
    call('Bash', { command: 'make test' }, 'no rule to make target', true);
  }
});
agent.on('close', (code) => {
  if (rest) console.log(rest);
  process.exitCode = code ?? 1;
});

let calls = 0;
function call(name, input, content, is_error = false) {
  const id = `call-${++calls}`;
  const said = (message) => console.log(JSON.stringify(message));
  said({ type: 'assistant', message: { id, content: [{ type: 'tool_use', id, name, input }] } });
  said({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] } });
}
