import { basename, resolve } from 'node:path';

import { multipartBytes, type FilePart } from '#grammar/http/multipart.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { encodeForm } from '#stdlib/http/address.ts';

import type { Collected, LoadRequest } from './sources.ts';

/** A request whose files are read, as the engine sends it. */
export async function withForm(
  request: LoadRequest,
  ctx: Base & Pick<Ports, 'files' | 'chance'>,
): Promise<LoadRequest> {
  const { files, data } = request;
  if (!isObject(files ?? null)) return request;
  const parts: FilePart[] = [];
  for (const [field, given] of Object.entries(files as JsonObject)) {
    const path = resolve(ctx.folders.cwd, String(given));
    if ((await ctx.files.find(path))?.kind !== 'file')
      throw fail.loadSource({ path: String(given), reason: 'there is no such file' });
    parts.push({ field, name: basename(path), bytes: await ctx.files.read(path) });
  }
  const fields = isObject(data ?? null) ? [...new URLSearchParams(encodeForm(data as JsonObject))] : [];
  const boundary = `svc-${ctx.chance.uuid()}`;
  const base64 = multipartBytes(fields, parts, boundary).toString('base64');
  return { ...request, form: { type: `multipart/form-data; boundary=${boundary}`, base64 } };
}

/** Requests that scripts for other engines can say; the rest is left out, with the reason. */
export function forScripts({ requests, skipped }: Collected): Collected {
  const reasonOf = ({ files, auth_scheme: scheme }: LoadRequest): string | undefined =>
    isObject(files ?? null) ? 'sends files' : scheme === 'digest' ? 'has a Digest login' : undefined;
  return {
    requests: requests.filter((request) => reasonOf(request) === undefined),
    skipped: [
      ...skipped,
      ...requests.flatMap((request) => {
        const reason = reasonOf(request);
        return reason === undefined ? [] : [`${request.name} ${reason}, which only the built-in engine does`];
      }),
    ],
  };
}
