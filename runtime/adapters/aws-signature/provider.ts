import { createHash, createHmac } from 'node:crypto';

import type { Provider } from '#runtime/kernel/ports.ts';

import { canonicalHeaders, canonicalPath, canonicalQuery, isStore, readAddress } from './canonical.ts';
import type { SignedRequest } from './port.ts';

export const provider: Provider<'awsSignature'> = { open: () => ({ sign }) };

const scheme = 'AWS4-HMAC-SHA256';

function sign(request: SignedRequest): Readonly<Record<string, string>> {
  const { host, path, query } = readAddress(request.url);
  const date = new Date(request.at).toISOString().replace(/[-:]|\.\d+/g, '');
  // Said by the caller: `UNSIGNED-PAYLOAD`, a streaming scheme, or the hash of a body that is not at hand.
  const [, said] = Object.entries(request.headers).find(([name]) => /^x-amz-content-sha256$/i.test(name)) ?? [];
  const hash = said ?? sha256(request.body);
  const added = {
    'X-Amz-Date': date,
    ...(request.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': request.sessionToken }),
    ...(isStore(request.service) && said === undefined ? { 'X-Amz-Content-Sha256': hash } : {}),
  };
  const taken = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const given = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => !taken.has(name.toLowerCase()) && !/^authorization$/i.test(name),
    ),
  );
  const hasHost = Object.keys(given).some((name) => name.toLowerCase() === 'host');
  const { lines, names } = canonicalHeaders({ ...(hasHost ? {} : { host }), ...given, ...added });
  const canonical = [
    request.method,
    canonicalPath(path, request.service),
    canonicalQuery(query),
    lines,
    names,
    hash,
  ].join('\n');
  const scope = [date.slice(0, 8), request.region, request.service, 'aws4_request'];
  const text = [scheme, date, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((last, part) => hmac(last, part).digest(), `AWS4${request.secretKey}`);
  const signature = hmac(key, text).digest('hex');
  const credential = [request.accessKey, ...scope].join('/');
  return {
    ...given,
    ...added,
    Authorization: `${scheme} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): ReturnType<typeof createHmac> {
  return createHmac('sha256', key).update(data);
}
