import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const page = `<!doctype html><title>Order</title><form action="/done"><input id="name" name="name"><input id="count" name="count"><button id="send">Send</button></form><button id="plus" onclick="sum.textContent = Number(sum.textContent) + 1">Plus</button><p id="sum">0</p>`;
const block = Buffer.alloc(1 << 18, 'svc');
function bytes(count, response) {
  response.setHeader('content-length', count);
  pipeline(Readable.from(Array.from({ length: count / block.length }, () => block)), response).catch(() => {});
}
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/form') response.setHeader('content-type', 'text/html').end(page);
  else if (pathname === '/done') response.setHeader('content-type', 'text/html').end(`<p id="thanks">Thanks ${encodeURIComponent(searchParams.get('name') ?? '')}</p>`);
  else if (pathname === '/sink') request.resume().on('end', () => response.end());
  else if (pathname.startsWith('/bytes/')) bytes(Number(pathname.slice(7)), response);
  else response.setHeader('content-type', 'application/json').end('{"state":"done","items":[1,2,3]}');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
