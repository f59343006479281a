import { catalogue } from '#compiler/catalogue.ts';
import { values } from '#runtime/kernel/values/values.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandInfo } from '#schemas/types/command.ts';

/**
 * Parameters as a command gets them: completed with defaults, and held to its declaration. Rejects where they do not
 * fit.
 */
export async function wanted<Name extends keyof CommandMap>(
  name: Name,
  given: Readonly<Record<string, unknown>>,
): Promise<CommandMap[Name]['params']> {
  await catalogue.prepare([name]);
  const info = catalogue.get(name);
  if (!info) throw fail.commandNotLinked({ command: name, help: nearTo(name) });
  const params = completed(info, given);
  const findings = catalogue.validator(name)?.(params) ?? [];
  if (findings.length > 0) throw fail.argumentsUnfit({ command: name, reason: values.unfit(findings) });
  return params;
}

function completed(info: CommandInfo, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const defaults = info.params.flatMap((param) =>
    param.default === undefined ? [] : [[param.name, param.default] as const],
  );
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(defaults), ...Object.fromEntries(chosen) };
}

function nearTo(name: string): string {
  const near = catalogue.didYouMean(name).map((other) => `"${other}"`);
  return near.length === 0 ? 'there is no command of that name' : `did you mean ${near.join(' or ')}?`;
}
