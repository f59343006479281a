import * as d from '#schemas/generated/diagnostics.ts';
import { findSecrets, mayHoldSecret, type FoundSecret } from '#grammar/secret/find-secrets.ts';
import type { Callable } from '#schemas/types/command.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { eachLiteralText, insideArgument, REFERENCE, textsOf } from '../texts.ts';

/** Secrets come from the environment or from a secret file. */
export default {
  name: 'no-hardcoded-secret',
  preset: 'recommended',
  source({ document, at, report }) {
    // Many texts of a file are alike.
    const known = new Map<string, boolean>();
    eachLiteralText(document.value, (text, path) => {
      if (!mayHoldSecret(text)) return;
      const isSecret = known.get(text) ?? findSecrets(text).some(isOfThisRule);
      known.set(text, isSecret);
      if (!isSecret) return;
      report(d.noHardcodedSecret({ at: at(path()), name: nameOf(path()) }));
    });
  },
  resolved({ groups, report }) {
    for (const call of groups.of(mayHold)) {
      for (const { parameter, path } of [...secretParameters(call), ...secretHeaders(call)]) {
        report(d.noHardcodedSecret({ at: insideArgument(call, parameter, path), name: nameOf([parameter, ...path]) }));
      }
    }
  },
} satisfies Rule;

/** Whether calls of a command may hold what this rule is about. */
function mayHold({ params, effects }: Callable): boolean {
  return params.some(({ secret, name }) => secret || (name === 'headers' && effects.includes('network')));
}

/** Passwords in addresses have a rule of their own. */
function isOfThisRule({ rule }: FoundSecret): boolean {
  return rule !== 'url_password';
}

interface Secret {
  readonly parameter: string;
  readonly path: Route;
}

/** Secret parameters of a call; of a pair of user name and password, the password. */
function* secretParameters(call: ResolvedCall): Generator<Secret> {
  const { info, node } = call;
  for (const { name, secret } of info.params) {
    const value = secret && call.isWritten(name) ? node.args[name] : undefined;
    const written = value ? [...textsOf(value)].at(-1) : undefined;
    if (written && isLiteral(written.text)) yield { parameter: name, path: written.path };
  }
}

/** Headers that a request sends; those that a mock answers with are its own. */
function* secretHeaders({ info, node }: ResolvedCall): Generator<Secret> {
  const headers: Value | undefined = info.effects.includes('network') ? node.args['headers'] : undefined;
  for (const { text, path } of headers ? textsOf(headers) : []) {
    if (isSecretHeader(nameOf(path)) && isLiteral(text)) yield { parameter: 'headers', path };
  }
}

function isLiteral(text: string): boolean {
  return text !== '' && !text.includes(REFERENCE);
}

/** Name of a value: the last name on the way to it. */
function nameOf(route: Route): string {
  return String(route.findLast((piece) => typeof piece === 'string') ?? 'value');
}
