import { argumentsOf } from '../messages/check.ts';
import { functionName } from '../messages/constructors.ts';
import type { Message } from '../messages/read.ts';
import type { Mistakes } from '../mistakes.ts';

import type { Family } from './declaration.ts';
import type { Implementations } from './implementations.ts';

/** Finds what an implemented command still lacks: its ports (`known`), the failures it names, and whole families. */
export function checkImplemented(
  families: readonly Family[],
  implementations: Implementations,
  known: ReadonlySet<string>,
  messages: readonly Message[],
  mistakes: Mistakes,
): void {
  const codes = new Set(messages.map(({ code }) => code));
  const slugs = new Map(messages.map((message) => [message.slug, message]));
  for (const family of families) {
    for (const { name, needs, params, returns, verdict, errors, replaced_by } of family.commands) {
      if (!implementations.has(name)) {
        if (family.complete && !replaced_by)
          mistakes.add(family.file, name, 'is planned, and the family says that it is complete');
        continue;
      }
      for (const need of needs)
        if (!known.has(need))
          mistakes.add(
            family.file,
            name,
            `needs the port "${need}", which nothing gives; known are ${[...known].sort().join(', ')}`,
          );
      for (const code of errors ?? [])
        if (!codes.has(code))
          mistakes.add(family.file, name, `"errors" names ${code}, which stands in no message file`);
      if (!verdict) continue;
      const message = slugs.get(verdict.message);
      if (message?.metadata.class === undefined)
        mistakes.add(
          family.file,
          name,
          `the verdict's message "${verdict.message}" (${functionName(verdict.message)}) is no failure of the message catalogue`,
        );
      for (const argument of argumentsOf(message?.text ?? '')) {
        if (!Object.hasOwn(params, argument) && !Object.hasOwn((returns['properties'] ?? {}) as object, argument))
          mistakes.add(
            family.file,
            name,
            `the verdict's message "${verdict.message}" speaks of %${argument}%, which is neither a parameter of the command nor a property of its result`,
          );
      }
    }
  }
}
