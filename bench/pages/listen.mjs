import { once } from 'node:events';
import { createServer } from 'node:http';

/** Serves what `respond` makes of a request: a Response. */
export const listen = async (respond) => {
  const server = createServer((request, response) => {
    Promise.resolve(respond(request)).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
};

/** A text as an answer. */
export const toPage = (body, type = 'text/html') =>
  new Response(body, { headers: { 'content-type': `${type}; charset=utf-8` } });

export const missing = () => new Response(null, { status: 404 });
