import { eachLiteralText } from '#grammar/source/literal-texts.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import type { Report } from '#schemas/types/diagnostic.ts';

import type { ArgumentRule, ResolvedCall, Rule, SourceFile } from './rule.ts';

/** One pass over the texts of a file for all rules that look at them. */
export function lookAtTexts(rules: readonly Rule[], file: SourceFile): void {
  const looks = rules.flatMap((rule) => rule.texts?.(file) ?? []);
  if (looks.length === 0) return;
  eachLiteralText(file.document.value, (text, path) => {
    for (let index = 0; index < looks.length; index += 1) looks[index]?.(text, path);
  });
}

/** One pass over the arguments of all calls: a file has many calls, and most rules are about few parameters. */
export function lookAtArguments(rules: readonly Rule[], calls: readonly ResolvedCall[], report: Report): void {
  const all = rules.flatMap(({ argument }) => argument ?? []);
  if (all.length === 0) return;
  const wanted = new Map<Callable, readonly Wanted[]>();
  for (const call of calls) {
    const known = wanted.get(call.info);
    const wants = known ?? wantedOf(call.info, all);
    if (known === undefined) wanted.set(call.info, wants);
    for (const { parameter, looking } of wants) {
      const argument = call.writtenAs(parameter);
      if (argument !== undefined) for (const { look } of looking) look(argument, call, report);
    }
  }
}

/** Rules that look at a parameter of a command. */
interface Wanted {
  readonly parameter: Parameter;
  readonly looking: readonly ArgumentRule[];
}

function wantedOf(info: Callable, rules: readonly ArgumentRule[]): readonly Wanted[] {
  return info.params
    .map((parameter) => ({ parameter, looking: rules.filter(({ wants }) => wants(parameter, info)) }))
    .filter(({ looking }) => looking.length > 0);
}
