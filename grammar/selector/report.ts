import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';

import type { SelectorProblem } from './ast.ts';
import { cssProblem } from './css.ts';
import { strategyEngines } from './locators-in.ts';
import { parseSelector } from './parse.ts';

/** Place of a text, and the parameter that it belongs to. */
interface Said {
  readonly at: Label;
  readonly command: string;
  readonly parameter: string;
}

/** Mistake in the text of a selector; empty where there is none. */
export function selectorDiagnostic(text: string, said: Said): readonly Diagnostic[] {
  return diagnosticOf(parseSelector(text).problem, said, 0);
}

/** The same for the value of a locator; strategies that have no language of their own are left to the browser. */
export function locatorDiagnostic(text: string, strategy: string, said: Said): readonly Diagnostic[] {
  const engine = strategyEngines[strategy.toLowerCase()];
  if (engine === undefined) return [];
  if (engine === 'css') {
    const reason = cssProblem(text);
    return reason === undefined ? [] : diagnosticOf({ from: 0, to: text.length, reason }, said, 0);
  }
  const prefix = `${engine}=`;
  return diagnosticOf(parseSelector(prefix + text).problem, said, prefix.length);
}

function diagnosticOf(problem: SelectorProblem | undefined, said: Said, before: number): readonly Diagnostic[] {
  if (problem === undefined) return [];
  const from = Math.max(0, problem.from - before);
  const part = [from, Math.max(from + 1, problem.to - before)] as const;
  return [d.selectorUnreadable({ ...said, at: { ...said.at, part }, reason: problem.reason })];
}
