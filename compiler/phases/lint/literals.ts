import { isObject, type Json } from '#schemas/types/json.ts';
import { foldValue, literalOf, type ValueForms } from '#schemas/types/fold-value.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ResolvedCall, Written } from './rule.ts';
import { REFERENCE } from './texts.ts';

/** The parameters of a call that are written in the file, in the order of the declaration. */
export function written(call: ResolvedCall): readonly Written[] {
  return call.written();
}

/** An argument as rules see it. */
export function writtenAs(parameter: Written['parameter'], value: Value): Written {
  const literal = literalOf(value);
  if (typeof literal === 'string') return { parameter, value: literal, text: literal };
  if (literal !== undefined) return { parameter, value: literal };
  const text = textOf(value);
  return text === undefined ? { parameter } : { parameter, text };
}

const nothing = (): undefined => undefined;
const asText: ValueForms<string | undefined> = {
  lit: nothing,
  text: (pieces) => pieces.map((piece) => (typeof piece === 'string' ? piece : REFERENCE)).join(''),
  ref: () => REFERENCE,
  list: nothing,
  map: nothing,
  block: nothing,
};

/** Text of a value that is one text; undefined where it is something else. */
function textOf(value: Value): string | undefined {
  return foldValue(value, asText);
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
