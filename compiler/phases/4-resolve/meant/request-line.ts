import type { JsonObject } from '#schemas/types/json.ts';

import type { Step } from '../../3-parse/ast.ts';

/** Whether a step is `url: https://…`: WR_pw_url tells the address of a page, and takes none. */
export function isAddressAlone({ command, positional = [] }: Step): boolean {
  return /^url$/i.test(command) && positional.length === 1 && typeof positional[0] === 'string';
}

/** The call that `GET: https://…` and `GET https://…` stand for; undefined for other steps. */
export function requestMeant({ command, positional, keywords }: Step): JsonObject | undefined {
  const [, method = '', behind] = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)(?: +(\S{1,2000}))?$/i.exec(command) ?? [];
  const [address, ...others] = positional ?? (behind === undefined ? [] : [behind]);
  if (method === '' || keywords !== undefined || typeof address !== 'string' || others.length > 0) return undefined;
  return { AT_test_api_method: { http_method: method.toLowerCase(), test_url: address } };
}
