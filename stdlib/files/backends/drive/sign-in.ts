import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';

import type { Client, TokenTools } from './client.ts';

/** All that is on the drive: files that others have made too. */
const SCOPE = 'https://www.googleapis.com/auth/drive';
const USUAL_SECONDS = 300;

export interface SignedIn {
  readonly code: string;
  readonly redirect: string;
  readonly verifier: string;
}

/**
 * Shows an address that a person opens in a browser, and waits at a door of this machine for where the service leads
 * back to. Fails at once where nobody can answer.
 */
export async function signIn(
  { notice, signal }: Pick<TokenTools, 'notice' | 'signal'>,
  client: Client,
  seconds: number | undefined,
): Promise<SignedIn> {
  const limit = seconds ?? (process.stdin.isTTY && process.stderr.isTTY ? USUAL_SECONDS : 0);
  if (limit === 0)
    throw fail.storageLogin({
      place: 'the drive',
      reason: 'a person has to sign in once, and nobody can be asked here',
    });
  const [state, verifier] = [randomBytes(24).toString('base64url'), randomBytes(48).toString('base64url')];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const given = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
    const isOurs = request.method === 'GET' && given.get('state') === state;
    const code = given.get('code');
    response.writeHead(isOurs ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isOurs ? 'You can close this page.\n' : 'This is no answer to our question.\n');
    if (!isOurs) return;
    if (code) resolve(code);
    else reject(fail.storageLogin({ place: 'the drive', reason: given.get('error')?.slice(0, 100) ?? 'no code came' }));
  });
  const late = AbortSignal.any([signal, AbortSignal.timeout(limit * 1000)]);
  late.addEventListener('abort', () => reject(signal.aborted ? asError(signal.reason) : tooLate(limit)), {
    once: true,
  });
  try {
    const redirect = `http://127.0.0.1:${await listening(server)}`;
    notice('info', `Sign in to the drive: ${addressOf(client, redirect, state, verifier)}`);
    return { code: await promise, redirect, verifier };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function addressOf(client: Client, redirect: string, state: string, verifier: string): string {
  const url = new URL(client.authUri);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  for (const [name, value] of Object.entries({
    client_id: client.id,
    redirect_uri: redirect,
    response_type: 'code',
    scope: SCOPE,
    state,
    access_type: 'offline',
    prompt: 'consent',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value);
  return url.href;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function tooLate(seconds: number): Error {
  return fail.storageLogin({ place: 'the drive', reason: `nobody signed in within ${seconds} s` });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
