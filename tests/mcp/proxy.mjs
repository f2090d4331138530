// A proxy on loopback that adds the token: the conformance suite has no option for a header. What it is told of
// Host and Origin it passes on, with the port of the server behind it.
import http from 'node:http';

const [target, token] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const server = http.createServer((request, response) => {
  const own = `${hostname}:${server.address().port}`;
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  if (headers.host === own || headers.host === `localhost:${server.address().port}`) headers.host = `${hostname}:${port}`;
  const onward = http.request({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
