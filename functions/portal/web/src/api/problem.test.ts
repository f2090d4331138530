import { expect, it } from 'vitest';
import { problemOf, readProblem } from './problem';

const read = async (body: string, status: number) =>
  problemOf(await readProblem(new Response(body, { status })));

it('reads a problem document, a refusal of one sentence, and what is neither', async () => {
  const document = { type: 'forbidden', title: 'No.', status: 403, traceId: 't', errors: {} };
  expect(await read(JSON.stringify(document), 403)).toEqual(document);
  expect(await read('{"error":"Slack answered: no_service"}', 422)).toMatchObject({
    type: 'refused',
    title: 'Slack answered: no_service',
    status: 422,
  });
  expect(await read('<html>Bad gateway</html>', 502)).toMatchObject({ type: 'unreadable-answer' });
  const { title } = await read('<html>Request Entity Too Large</html>', 413);
  expect(title).toBe('A proxy in front of the service refused this as too large.');
});
