import { OAuth2Server } from 'oauth2-mock-server';

import type { MakeWorld } from './world.ts';

/** A token endpoint at `${ENV.TOKEN_URL}` that grants everything. */
export const world: MakeWorld = async () => {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  return {
    env: { TOKEN_URL: `http://127.0.0.1:${server.address().port}/token` },
    [Symbol.asyncDispose]: () => server.stop(),
  };
};
