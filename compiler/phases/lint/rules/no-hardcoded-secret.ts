import * as d from '#schemas/generated/diagnostics.ts';
import { findSecrets, mayHoldSecret, type FoundSecret } from '#grammar/secret/find-secrets.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Rule } from '../rule.ts';
import { insideArgument, REFERENCE, textsOf, type FoundText } from '../texts.ts';

/** Secrets come from the environment or from a secret file. */
export default {
  name: 'no-hardcoded-secret',
  preset: 'recommended',
  texts({ at, report }) {
    // Many texts of a file are alike.
    const known = new Map<string, boolean>();
    return (text, path) => {
      if (!mayHoldSecret(text)) return;
      const isSecret = known.get(text) ?? findSecrets(text).some(isOfThisRule);
      known.set(text, isSecret);
      if (!isSecret) return;
      report(d.noHardcodedSecret({ at: at(path()), name: nameOf(path()) }));
    };
  },
  argument: {
    wants: (parameter, info) => parameter.secret === true || isHeaders(parameter, info),
    look({ parameter }, call, report) {
      const { name, secret } = parameter;
      const value = call.node.args[name];
      const texts = value === undefined ? [] : textsOf(value);
      for (const { path } of secret ? ofSecret(texts) : ofHeaders(texts))
        report(d.noHardcodedSecret({ at: insideArgument(call, name, path), name: nameOf([name, ...path]) }));
    },
  },
} satisfies Rule;

/** Headers that a request sends; those that a mock answers with are its own. */
function isHeaders({ name }: Parameter, { effects }: Callable): boolean {
  return name === 'headers' && effects.includes('network');
}

/** Passwords in addresses have a rule of their own. */
function isOfThisRule({ rule }: FoundSecret): boolean {
  return rule !== 'url_password';
}

/** The literal secret of a value: the password, of a pair of user name and password. */
function ofSecret(texts: readonly FoundText[]): readonly FoundText[] {
  return texts.slice(-1).filter(({ text }) => isLiteral(text));
}

function ofHeaders(texts: readonly FoundText[]): readonly FoundText[] {
  return texts.filter(({ text, path }) => isSecretHeader(nameOf(path)) && isLiteral(text));
}

function isLiteral(text: string): boolean {
  return text !== '' && !text.includes(REFERENCE);
}

/** Name of a value: the last name on the way to it. */
function nameOf(route: Route): string {
  return String(route.findLast((piece) => typeof piece === 'string') ?? 'value');
}
