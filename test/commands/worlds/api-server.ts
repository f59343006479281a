import { startApiServer } from '../api/api-server.ts';
import type { MakeWorld } from './world.ts';

/** A small job service at `${ENV.API_URL}`. */
export const world: MakeWorld = async () => {
  const server = await startApiServer();
  return { env: { API_URL: server.url }, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};
