import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import type { WrittenInput } from '../3-parse/ast.ts';
import { quoted } from '../3-parse/fields.ts';
import { argumentRoute, type Call, type UsedFile } from '../4-resolve/resolved.ts';
import type { KnownValue } from '../4-resolve/value-type.ts';

import { explainValue, spoken } from './explain.ts';
import { shapeProblem } from './schema-shape.ts';
import { fits, type Walk } from './walker.ts';

/** Types of arguments that are one reference, and where their values come from. */
type Types = ReadonlyMap<string, KnownValue> | undefined;

/** The use of a file by a step, with the values that it gives. */
interface Use {
  readonly call: Call;
  readonly document: Document;
  readonly used: UsedFile['resolved']['file'];
  readonly written: JsonObject;
}

/** Mistakes in the values that a step gives to the inputs of a file that it uses. */
export function checkUse(
  call: Call,
  { resolved }: UsedFile,
  document: Document,
  walk: Walk,
  types: Types,
): readonly Diagnostic[] {
  const written = call.args['with'] ?? {};
  // A value that is no object has been reported.
  if (!isObject(written)) return [];
  const use: Use = { call, document, used: resolved.file, written };
  return [...unknownValues(use), ...lackingValues(use), ...unfitValues(use, walk, types)];
}

function inputsOf({ used }: Use): readonly WrittenInput[] {
  return used.meta.inputs ?? [];
}

function namesUnknown(use: Use): readonly string[] {
  return Object.keys(use.written).filter((key) => !inputsOf(use).some(({ name }) => name === key));
}

function at({ call, document }: Use, key: string, part: 'key' | 'value'): Label {
  return { source: document.source, route: argumentRoute(call, 'with', document, [key]), part };
}

function unknownValues(use: Use): readonly Diagnostic[] {
  const names = inputsOf(use).map(({ name }) => name);
  return namesUnknown(use).map((input) => {
    const place = at(use, input, 'key');
    const near = didYouMean(input, names);
    const [nearest] = near;
    const fixes: readonly Fix[] =
      nearest === undefined || Object.hasOwn(use.written, nearest)
        ? []
        : [
            {
              title: `rename it to "${nearest}"`,
              safety: isSlip(input, near) ? 'safe' : 'unsafe',
              operations: [{ kind: 'rename-key', route: place.route, key: nearest }],
            },
          ];
    const inputs = names.length === 0 ? 'none' : quoted(names);
    return d.unknownWith({ at: place, file: use.used.document.source, input, inputs, nearest, fixes });
  });
}

/**
 * Inputs without a value. One that stands under a name near it, or under another word than `with`, has been reported.
 */
function lackingValues(use: Use): readonly Diagnostic[] {
  const { call, document, used, written } = use;
  if (call.step.control?.withElsewhere === true) return [];
  const unknown = namesUnknown(use);
  return inputsOf(use)
    .filter((input) => input.default === undefined && !Object.hasOwn(written, input.name))
    .filter(({ name }) => !unknown.some((other) => didYouMean(other, [name]).length > 0))
    .map(({ name }) =>
      d.withLacks({
        at: { source: document.source, route: argumentRoute(call, 'use', document), part: 'value' },
        file: used.document.source,
        input: name,
      }),
    );
}

function unfitValues(use: Use, walk: Walk, types: Types): readonly Diagnostic[] {
  const { used, written } = use;
  return inputsOf(use).flatMap(({ name, schema, secret }): readonly Diagnostic[] => {
    // A schema that is none has been reported in its file.
    if (!Object.hasOwn(written, name) || shapeProblem(schema) !== undefined) return [];
    const place = at(use, name, 'value');
    const declared = { source: used.document.source, route: ['meta', 'inputs', name], part: 'value' } as const;
    return fits(schema, written[name] ?? null, { ...walk, types }).problems.map((problem) => {
      const whole = { ...place, route: [...place.route, ...problem.route] };
      const places = problem.is === undefined ? [] : (types?.get(String(problem.actual))?.places() ?? []);
      const said = explainValue(problem, {
        at: whole,
        command: 'use',
        parameter: spoken([name, ...problem.route]),
        fixes: [],
        isSecret: secret,
      });
      return { ...said, related: [...places, { ...declared, text: `the file declares "${name}" here` }] };
    });
  });
}
