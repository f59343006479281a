import type { Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { refused } from '#stdlib/http/exchange.ts';
import type { RequestContext } from '#stdlib/http/exchange.ts';

type Query = Pick<CommandMap['AT_test_api_method_graphql']['params'], 'query' | 'variables' | 'operation_name'>;

/** Throws where the schema does not allow the query; reports show the call as one that could not be made. */
export async function checkQuery(
  schema: string,
  { query, variables, operation_name: operation }: Query,
  call: JsonObject,
  ctx: RequestContext & Pick<Ports, 'graphqlSchema'>,
): Promise<void> {
  try {
    const request = { schema, query, variables: (variables ?? {}) as JsonObject, operation };
    const mistakes = await ctx.graphqlSchema.mistakes(request);
    const [first, ...others] = mistakes.map(({ message, line, column }) =>
      line === undefined ? message : `line ${line}:${column} ${message}`,
    );
    if (first === undefined) return;
    const more = others.length === 0 ? 'It is the only mistake.' : `Then: ${others.join(' ')}`;
    throw fail.graphqlQuery({
      path: schema,
      first,
      more,
      expected: 'no mistakes',
      actual: mistakes.map((one) => ({ ...one })),
    });
  } catch (error) {
    throw refused(error, call, ctx);
  }
}
