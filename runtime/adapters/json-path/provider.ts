import type { FilterFunction, JSONValue } from 'json-p3';

import { beyondStandard } from '#grammar/json-path/beyond-standard.ts';
import { jsonPathExcess } from '#grammar/json-path/parse.ts';
import type { Provider, Regex } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { budgetOf, matchesOf, TooCostly, type Budget } from './bounded-query.ts';

export const provider: Provider<'jsonPath'> = {
  open: async (context) => {
    const regex = await context.port('regex');
    const { jsonpath } = await import('json-p3');
    const environment = new jsonpath.JSONPathEnvironment();
    const budget = budgetOf(environment);
    const { Length, Match, Search } = jsonpath.functions;
    environment.functionRegister.set('length', inScalars(new Length()));
    environment.functionRegister.set(
      'match',
      bounded(new Match({ throwErrors: true }), regex, budget, (pattern) => `^(?:${pattern})$`),
    );
    environment.functionRegister.set(
      'search',
      bounded(new Search({ throwErrors: true }), regex, budget, (pattern) => pattern),
    );
    return {
      find: (expression, value) => {
        const excess = jsonPathExcess(expression);
        if (excess !== undefined) throw fail.jsonpathBroken({ expression, reason: excess });
        try {
          budget.begin();
          const query = environment.compile(expression);
          const beyond = beyondStandard(expression);
          if (beyond) throw fail.jsonpathBroken({ expression, reason: beyond.reason });
          const nodes = matchesOf(query, value as JSONValue, budget);
          return nodes.map((node) => ({ path: node.getPath({ form: 'canonical' }), value: node.value as Json }));
        } catch (cause) {
          if (cause instanceof TooCostly) throw fail.jsonpathTooCostly({ expression, reason: cause.message });
          if (!(cause instanceof jsonpath.JSONPathError)) throw cause;
          throw fail.jsonpathBroken({ expression, reason: cause.message, cause });
        }
      },
    };
  },
};

/** The library counts halves of characters; RFC 9535 counts Unicode scalar values. */
function inScalars(original: FilterFunction): FilterFunction {
  return {
    argTypes: original.argTypes,
    returnType: original.returnType,
    call: (value) => (typeof value === 'string' ? scalarsIn(value) : original.call(value)),
  };
}

function scalarsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** The library's function decides whether a pattern is an I-Regexp; the search itself runs under a time limit. */
function bounded(
  original: FilterFunction,
  regex: Regex,
  budget: Budget,
  anchor: (pattern: string) => string,
): FilterFunction {
  const isPattern = (pattern: unknown): pattern is string => {
    try {
      original.call('', pattern);
      return typeof pattern === 'string';
    } catch {
      return false;
    }
  };
  return {
    argTypes: original.argTypes,
    returnType: original.returnType,
    call: (text, pattern) => {
      budget.spend(true);
      return (
        typeof text === 'string' && isPattern(pattern) && regex.match(anchor(toJavaScript(pattern)), 'u', text) !== null
      );
    },
  };
}

/** The pattern in JavaScript: in an I-Regexp the dot stands for anything but CR and LF. */
function toJavaScript(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\.|[.[\]]/gsu, (sign) => {
    if (sign === '[' || sign === ']') inClass = sign === '[';
    return sign === '.' && !inClass ? '[^\\n\\r]' : sign;
  });
}
