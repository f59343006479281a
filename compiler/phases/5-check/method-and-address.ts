import type { Fix } from '#schemas/types/fix.ts';

import { stepRoute } from '../3-parse/routes.ts';
import type { Call } from '../4-resolve/resolved.ts';

/**
 * Fix for a request that was given method and address as one text (`GET https://…`), or the address alone; undefined
 * for other calls.
 */
export function methodAndAddress({ step, signature }: Call): Fix | undefined {
  const [text, other] = step.positional ?? [];
  const [method, address] = signature.positional;
  if (typeof text !== 'string' || other !== undefined || step.form !== 'object' || step.keywords !== undefined)
    return undefined;
  if (method?.name !== 'http_method' || address?.language !== 'url') return undefined;
  const [, verb = 'get', url] = /^(?:([A-Za-z]+)\s+)?(https?:\/\/\S+)$/.exec(text) ?? [];
  if (url === undefined) return undefined;
  const value = [verb.toLowerCase(), url];
  return {
    title: `write [${value.join(', ')}]`,
    safety: verb === 'get' ? 'unsafe' : 'safe',
    operations: [{ kind: 'replace', route: [...stepRoute(step), step.command], value }],
  };
}
