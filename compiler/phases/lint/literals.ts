import { isObject, type Json } from '#schemas/types/json.ts';
import { foldValue, literalOf } from '#schemas/types/fold-value.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ResolvedCall, Written } from './rule.ts';
import { REFERENCE } from './texts.ts';

/** The parameters of a call that are written in the file, in the order of the declaration. */
export function written(call: ResolvedCall): readonly Written[] {
  return call.written();
}

/** The same, found out for the first time. */
export function writtenOf(call: Pick<ResolvedCall, 'info' | 'node' | 'isWritten'>): readonly Written[] {
  const { info, node } = call;
  const found: Written[] = [];
  for (const parameter of info.params) {
    const value = call.isWritten(parameter.name) ? node.args[parameter.name] : undefined;
    if (value === undefined) continue;
    const literal = literalOf(value);
    const text = typeof literal === 'string' ? literal : literal === undefined ? textOf(value) : undefined;
    found.push({ parameter, ...(literal !== undefined && { value: literal }), ...(text !== undefined && { text }) });
  }
  return found;
}

/** Text of a value that is one text; undefined where it is something else. */
function textOf(value: Value): string | undefined {
  const nothing = (): undefined => undefined;
  return foldValue<string | undefined>(value, {
    lit: nothing,
    text: (pieces) => pieces.map((piece) => (typeof piece === 'string' ? piece : REFERENCE)).join(''),
    ref: () => REFERENCE,
    list: nothing,
    map: nothing,
    block: nothing,
  });
}

/** The host of a literal address, in lower case; undefined where a reference gives it, or there is none. */
export function hostOf(address: string): string | undefined {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(address)?.[1]?.toLowerCase();
  return host === undefined || host === '' || host.includes(REFERENCE) ? undefined : host;
}

const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|test|invalid|example|svc)$|^[^.]+$/;
const privateAddresses = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0\.0\.0\.0$|\[)/;

/** Whether a host can be reached from anywhere: no address of a machine or a network of one's own, no name of one. */
export function isPublicHost(host: string): boolean {
  return !privateAddresses.test(host) && !privateNames.test(host);
}

/** The entries of a literal object; none where it is something else. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return value !== undefined && isObject(value) ? Object.entries(value) : [];
}
