import { startHttp } from '../api/servers.ts';
import type { MakeWorld } from './world.ts';

/** A server of files at `${ENV.FILES_URL}`; the gate for private addresses is open, as it stands on this machine. */
export const world: MakeWorld = async () => {
  const server = await startHttp((request, response) => {
    if (request.url === '/report.csv')
      response.writeHead(200, { etag: '"v1"', 'content-type': 'text/csv' }).end('name;amount\npears;3\n');
    else if (request.url === '/moved') response.writeHead(302, { location: '/report.csv' }).end();
    else response.writeHead(404).end('not here');
  });
  return {
    env: { FILES_URL: server.url },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
