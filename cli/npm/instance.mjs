// An instance on loopback, as far as a runner asks one: for the tests of updates. It has one run to give, when told to.
import http from 'node:http';

const body = async (request) => {
  let text = '';
  for await (const piece of request) text += piece;
  return text ? JSON.parse(text) : {};
};

/** Serves; `hellos` are the introductions that were heard, `give` hands out a run, `ended` are the ids of those that ended. */
export async function instance() {
  const heard = { hellos: [], queue: [], ended: [], log: '' };
  const answers = {
    hello: (said) => {
      heard.hellos.push(said);
      return { runnerId: 'r', name: 'box', organization: 'demo', heartbeatSeconds: 1, takeWaitSeconds: 1 };
    },
    take: async (said) => {
      if (heard.queue.length === 0) await new Promise((later) => setTimeout(later, 1000 * said.waitSeconds));
      return heard.queue.shift();
    },
    start: () => ({ cancel: false }),
    heartbeat: async (said) => {
      await new Promise((later) => setTimeout(later, 500 * (said.waitSeconds ?? 0)));
      return { cancel: false };
    },
    log: (said) => {
      heard.log += said.entries.map((entry) => `${entry.text}\n`).join('');
      return { nextSeq: said.firstSeq + said.entries.length, truncated: false, cancel: false };
    },
    finish: (_, run) => void heard.ended.push(run),
    changes: () => undefined,
    'give-back': (said, run) => void heard.queue.push({ ...assignment(run), fence: said.fence + 1 }),
  };
  const server = http.createServer(async (request, response) => {
    const [, run, call] = request.url.match(/^\/api\/v1\/runner\/(?:runs\/([^/]+)\/)?([a-z-]+)$/) ?? [];
    const said = await body(request);
    const answer = await answers[call]?.(said, run);
    if (!(call in answers)) return response.writeHead(404).end();
    response.writeHead(answer ? 200 : 204, answer ? { 'content-type': 'application/json' } : {});
    response.end(answer && JSON.stringify(answer));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const give = (run) => void heard.queue.push(assignment(run));
  function close() {
    server.closeAllConnections();
    server.close();
  }
  return { url: `http://127.0.0.1:${server.address().port}`, heard, give, close };
}

function assignment(runId) {
  return {
    runId,
    fence: 1,
    organization: 'demo',
    project: 'PRJ',
    item: { key: 'PRJ-1', type: 'task', title: 'Wait' },
    kind: 'implement',
    harness: 'harness_1',
    timeLimitSeconds: 600,
    agent: { id: 'a', name: 'Ada', email: 'ada@agents.example' },
    token: 'jrt_the-runs-own-token-0123456789',
    prompt: 'Wait.',
    repository: { source: 'runnerLocal', defaultBranch: 'main' },
    branch: 'prj-1-wait',
    deliveryMode: 'branchAndPullRequest',
  };
}
