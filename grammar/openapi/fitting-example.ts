import type { Json, JsonObject } from '#schemas/types/json.ts';

import { exampleOf } from './example-value.ts';
import { makeValue } from './make-value.ts';
import { schemaFindings } from './schema-findings.ts';

/** The example of a parameter or body, or one made of its schema where the example does not fit that. */
export function fittingExample(source: JsonObject, schema: Json | undefined, document: JsonObject): Json {
  const fits = (value: Json): boolean => schemaFindings(value, schema, { document, direction: 'request' }).length === 0;
  const said = exampleOf(source, schema, document);
  if (schema === undefined || fits(said)) return said;
  const made = makeValue(schema, { document, chance: () => 0, small: true });
  return fits(made) ? made : said;
}
