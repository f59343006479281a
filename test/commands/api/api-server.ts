import type { IncomingMessage, ServerResponse } from 'node:http';

import { startHttp } from './servers.ts';
import type { Started } from './servers.ts';

/** Starts the server for the examples of the request commands. */
export async function startApiServer(): Promise<Started> {
  return await startHttp((request, response) => void answer(request, response));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const url = new URL(request.url ?? '/', 'http://server');
  const json = (status: number, value: unknown, headers: Record<string, string | string[]> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
  switch (url.pathname) {
    case '/jobs/7':
      return json(200, { id: 7, state: 'done' });
    case '/echo':
      return json(200, { method: request.method, query: url.search, headers: request.headers, body });
    case '/login':
      return json(200, { ok: true }, { 'set-cookie': 'sid=abcdef0123456789; HttpOnly; Path=/' });
    case '/broken':
      return json(500, { error: 'broken' });
    case '/busy':
      return json(503, { error: 'busy' });
    case '/limited':
      return json(429, {}, { 'retry-after': '7' });
    case '/graphql':
      return json(
        200,
        body.includes('nothing')
          ? { errors: [{ message: 'no such field' }] }
          : { data: { job: { state: 'done', got: JSON.parse(body) as unknown } } },
      );
    case '/from':
      response.writeHead(302, { location: '/jobs/7' }).end();
      return;
    case '/euro':
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=windows-1252' })
        .end(Buffer.from('\x805', 'latin1'));
      return;
    case '/latin':
      response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from('grüße', 'latin1'));
      return;
    case '/picture':
      response.writeHead(200, { 'content-type': 'image/png' }).end(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255));
      return;
    case '/code/repos/ada/shop/issues/7/comments':
      return request.method === 'GET' ? json(200, []) : json(201, { id: 1 });
    case '/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: one\n\nevent: end\ndata: two\n\n');
      return;
    case '/bad-json':
      response.writeHead(200, { 'content-type': 'application/problem+json' }).end('{"open":');
      return;
    case '/deep':
      response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000) + ']'.repeat(100_000));
      return;
    default:
      return json(404, { error: 'not found', path: url.pathname });
  }
}
