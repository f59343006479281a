import * as d from '#schemas/generated/diagnostics.ts';
import { foldValue } from '#schemas/types/fold-value.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { Rule } from '../rule.ts';
import { insideArgument } from '../texts.ts';

/** Settings of requests and browsers that accept any certificate, by their value that does. */
const offSwitches: Readonly<Record<string, boolean>> = {
  verify: false,
  verify_tls: false,
  ignore_https_errors: true,
  ignorehttpserrors: true,
  accept_insecure_certs: true,
  acceptinsecurecerts: true,
};
const browserSwitch = /^--(?:ignore-certificate-errors|allow-insecure-localhost)\b/;

/** Certificates are checked. */
export default {
  name: 'no-disabled-tls',
  preset: 'recommended',
  hint: /verify|certs|certificate|insecure|https_?errors|curl|reject_unauthorized/i,
  judgesValues: true,
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const [parameter, value] of Object.entries(call.node.args)) {
        if (!call.isWritten(parameter)) continue;
        for (const { setting, path } of found(parameter, plain(value), []))
          report(d.noDisabledTls({ at: insideArgument(call, parameter, path), setting }));
      }
    }
  },
} satisfies Rule;

interface Found {
  readonly setting: string;
  readonly path: Route;
}

function* found(key: string, value: Json | undefined, path: Route): Generator<Found> {
  if (typeof value === 'boolean' && offSwitches[key.toLowerCase()] === value)
    yield { setting: `${key}: ${value}`, path };
  else if (typeof value === 'string' && browserSwitch.test(value)) yield { setting: value, path };
  else if (key === 'NODE_TLS_REJECT_UNAUTHORIZED' && (value === '0' || value === 0))
    yield { setting: `${key}=0`, path };
  else if (isList(value) && key === 'command' && path.length === 0) yield* ofProgram(value);
  else if (isList(value)) for (const [index, item] of value.entries()) yield* found(key, item, [...path, index]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* found(name, item, [...path, name]);
}

/** Flags of programs that load something. */
const flags: Readonly<Record<string, RegExp>> = {
  curl: /^(?:--insecure|-[a-zA-Z]*k[a-zA-Z]*)$/,
  wget: /^--no-check-certificate$/,
};
/** The same in a text for a shell: a program, and its flag behind it. */
const ofShells = [
  [/\bcurl\b/, /\s(--insecure|-k)(?![\w-])/g],
  [/\bwget\b/, /\s(--no-check-certificate)(?![\w-])/g],
] as const;

/** The flag among the words of a program, or in the text for a shell. */
function* ofProgram(words: readonly Json[]): Generator<Found> {
  const [program, second, text] = words;
  const flag = typeof program === 'string' && Object.hasOwn(flags, program) ? flags[program] : undefined;
  const at = flag === undefined ? -1 : words.findIndex((word) => typeof word === 'string' && flag.test(word));
  if (at > 0) yield { setting: String(words[at]), path: [at] };
  const found = second === '-c' && typeof text === 'string' ? flagInShell(text) : undefined;
  if (found !== undefined) yield { setting: found, path: [2] };
}

/** Taken apart, for one pattern for both would look from each program to the end of a long text. */
function flagInShell(text: string): string | undefined {
  for (const command of text.split(/[|;&]/))
    for (const [program, flag] of ofShells) {
      const start = command.search(program);
      const [, found] = start < 0 ? [] : ([...command.slice(start).matchAll(flag)].at(-1) ?? []);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** A value as plain data; what a reference fills is null. */
function plain(value: Value): Json {
  return foldValue<Json>(value, {
    lit: (literal) => literal,
    text: () => null,
    ref: () => null,
    list: (parts) => parts,
    map: (entries) => Object.fromEntries(entries),
    block: () => null,
  });
}
