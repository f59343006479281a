import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import { isObject } from '#schemas/types/json.ts';

import { quoted } from '../3-parse/fields.ts';
import { argumentRoute, type Call, type UsedFile } from '../4-resolve/resolved.ts';
import type { KnownValue } from '../4-resolve/value-type.ts';

import { explainValue, spoken } from './explain.ts';
import { shapeProblem } from './schema-shape.ts';
import { fits, type Walk } from './walker.ts';

/** Types of arguments that are one reference, and where their values come from. */
type Types = ReadonlyMap<string, KnownValue> | undefined;

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
  const { meta, document: used } = resolved.file;
  const inputs = meta.inputs ?? [];
  const names = inputs.map(({ name }) => name);
  const at = (key: string, part: 'key' | 'value'): Label => ({
    source: document.source,
    route: argumentRoute(call, 'with', document, [key]),
    part,
  });
  const unknown = Object.keys(written).filter((name) => !names.includes(name));
  const lacking = inputs.filter((input) => input.default === undefined && !Object.hasOwn(written, input.name));
  const isGivenElsewhere = call.step.control?.withElsewhere === true;
  return [
    ...unknown.map((input) => {
      const place = at(input, 'key');
      const near = didYouMean(input, names);
      const [nearest] = near;
      return d.unknownWith({
        at: place,
        file: used.source,
        input,
        inputs: names.length === 0 ? 'none' : quoted(names),
        nearest,
        fixes:
          nearest === undefined || Object.hasOwn(written, nearest)
            ? []
            : [
                {
                  title: `rename it to "${nearest}"`,
                  safety: isSlip(input, near) ? 'safe' : 'unsafe',
                  operations: [{ kind: 'rename-key', route: place.route, key: nearest }],
                },
              ],
      });
    }),
    ...lacking
      .filter(({ name }) => !isGivenElsewhere && !unknown.some((other) => didYouMean(other, [name]).length > 0))
      .map(({ name }) =>
        d.withLacks({
          at: { source: document.source, route: argumentRoute(call, 'use', document), part: 'value' },
          file: used.source,
          input: name,
        }),
      ),
    ...inputs.flatMap(({ name, schema, secret }): readonly Diagnostic[] => {
      // A schema that is none has been reported in its file.
      if (!Object.hasOwn(written, name) || shapeProblem(schema) !== undefined) return [];
      const place = at(name, 'value');
      const declared = { source: used.source, route: ['meta', 'inputs', name], part: 'value' } as const;
      return fits(schema, written[name] ?? null, { ...walk, types }).problems.map((problem) => {
        const whole = { ...place, route: [...place.route, ...problem.route] };
        const places = problem.is === undefined ? [] : (types?.get(String(problem.actual))?.places() ?? []);
        return {
          ...explainValue(problem, {
            at: whole,
            command: 'use',
            parameter: spoken([name, ...problem.route]),
            fixes: [],
            isSecret: secret,
          }),
          related: [...places, { ...declared, text: `the file declares "${name}" here` }],
        };
      });
    }),
  ];
}
