import { basename, resolve } from 'node:path';

import { multipartBytes, readFormParts } from '#grammar/http/multipart.ts';
import type { FormFiles } from '#grammar/http/multipart.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import { encodeForm } from '#stdlib/http/address.ts';

import type { Collected, LoadRequest } from './sources.ts';

/** A request whose files are read, as the engine sends it. */
export async function withForm(
  request: LoadRequest,
  ctx: Base & Pick<Ports, 'files' | 'chance'>,
): Promise<LoadRequest> {
  const { files, data, body_file: body } = request;
  if (typeof body === 'string')
    return { ...request, form: { base64: Buffer.from((await readOne(body, ctx)).bytes).toString('base64') } };
  if (!isObject(files)) return request;
  const parts = await readFormParts(files as FormFiles, async (path) => await readOne(path, ctx));
  const fields = isObject(data) ? [...new URLSearchParams(encodeForm(data))] : [];
  const boundary = `svc-${ctx.chance.uuid()}`;
  const base64 = Buffer.from(multipartBytes(fields, parts, boundary)).toString('base64');
  return { ...request, form: { type: `multipart/form-data; boundary=${boundary}`, base64 } };
}

async function readOne(
  given: string,
  ctx: Base & Pick<Ports, 'files'>,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const path = resolve(ctx.folders.cwd, given);
  if ((await ctx.files.find(path))?.kind !== 'file')
    throw fail.loadSource({ path: given, reason: 'there is no such file' });
  return { name: basename(path), bytes: await ctx.files.read(path) };
}

/** Requests that scripts for other engines can say; the rest is left out, with the reason. */
export function forScripts({ requests, skipped }: Collected): Collected {
  const reasonOf = ({ files, body_file: body, auth_scheme: scheme }: LoadRequest): string | undefined =>
    isObject(files) || typeof body === 'string'
      ? 'sends files'
      : scheme === 'digest'
        ? 'has a Digest login'
        : undefined;
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
