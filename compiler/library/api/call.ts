import { call as callCommand, type CallOptions, type CallParameters } from '#compiler/engine/call.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';

import { withNames } from './dns.ts';

/**
 * Calls one command of the standard library, as `call` of `svc/files` does; what it requests goes to the addresses that
 * `dns_override` lists in this chain of calls.
 */
export function call<Name extends keyof CommandMap>(
  name: Name,
  given: CallParameters<Name>,
  options: CallOptions = {},
): Promise<CommandMap[Name]['result']> {
  return callCommand(name, given, withNames(options));
}
