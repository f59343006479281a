import { eachLiteralText } from '#grammar/source/literal-texts.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import type { Report } from '#schemas/types/diagnostic.ts';

import type { ArgumentRule, MayHold, ResolvedCall, Rule, SourceFile } from './rule.ts';

/** One pass over the texts of a file for all rules that look at them. */
export function lookAtTexts(rules: readonly Rule[], file: SourceFile): void {
  const looks = rules.flatMap((rule) => rule.texts?.(file) ?? []);
  if (looks.length === 0) return;
  eachLiteralText(file.document.value, (text, path) => {
    for (let index = 0; index < looks.length; index += 1) looks[index]?.(text, path);
  });
}

/** One pass over the arguments of all calls: a file has many calls, and most rules are about few parameters. */
export function lookAtArguments(
  rules: readonly Rule[],
  calls: readonly ResolvedCall[],
  mayHold: MayHold,
  report: Report,
): void {
  const all = rules.flatMap(({ argument }) => argument ?? []);
  if (all.length === 0) return;
  const wanted = new Map<Callable, readonly Wanted[]>();
  // By index: a loop over a long list runs for the most part before it is optimised.
  for (let index = 0; index < calls.length; index += 1) {
    const call = calls[index];
    if (call === undefined) continue;
    let wants = wanted.get(call.info);
    if (wants === undefined) wanted.set(call.info, (wants = wantedOf(call.info, all, mayHold)));
    if (wants.length > 0) lookAtCall(call, wants, report);
  }
}

function lookAtCall(call: ResolvedCall, wants: readonly Wanted[], report: Report): void {
  for (let index = 0; index < wants.length; index += 1) {
    const wanted = wants[index];
    const argument = wanted && call.writtenAs(wanted.parameter);
    if (argument === undefined) continue;
    for (const { look } of wanted?.looking ?? []) look(argument, call, report);
  }
}

/** Rules that look at a parameter of a command. */
interface Wanted {
  readonly parameter: Parameter;
  readonly looking: readonly ArgumentRule[];
}

function wantedOf(info: Callable, rules: readonly ArgumentRule[], mayHold: MayHold): readonly Wanted[] {
  return info.params
    .map((parameter) => ({ parameter, looking: rules.filter(({ wants }) => wants(parameter, info, mayHold)) }))
    .filter(({ looking }) => looking.length > 0);
}
