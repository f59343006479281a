import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';

import type { GraphqlMistake, GraphqlRequest } from './port.ts';

type Package = typeof import('graphql');

const MOST = 20;
/** Queries that a program could send are far smaller; a larger one is refused before it is judged. */
const MOST_TOKENS = 50_000;

/** Mistakes of a request by a schema: of its text first, then of its operation and its variables. */
export function findMistakes(
  schema: GraphQLSchema,
  { query, variables, operation: name }: GraphqlRequest,
  graphql: Package,
): readonly GraphqlMistake[] {
  const document = parsed(query, graphql);
  if ('message' in document) return [placed(document)];
  const errors = graphql.validate(schema, document, graphql.specifiedRules, { maxErrors: MOST });
  if (errors.length > 0) return errors.slice(0, MOST).map(placed);
  const operations = document.definitions.filter(
    (one): one is OperationDefinitionNode => one.kind === 'OperationDefinition',
  );
  const chosen = name === null ? operations : operations.filter((one) => one.name?.value === name);
  const [operation, another] = chosen;
  if (!operation) return [{ message: name === null ? 'It holds no operation.' : `It holds no operation "${name}".` }];
  if (another) return [{ message: `It holds ${chosen.length} operations, and none is named.` }];
  return variableMistakes(schema, operation, variables, graphql);
}

function parsed(query: string, graphql: Package): DocumentNode | GraphQLError {
  try {
    return graphql.parse(query, { maxTokens: MOST_TOKENS });
  } catch (error) {
    if (error instanceof graphql.GraphQLError) return error;
    throw error;
  }
}

function variableMistakes(
  schema: GraphQLSchema,
  { variableDefinitions: declared = [] }: OperationDefinitionNode,
  variables: GraphqlRequest['variables'],
  graphql: Package,
): readonly GraphqlMistake[] {
  const names = new Set(declared.map(({ variable }) => variable.name.value));
  const unknown = Object.keys(variables).filter((name) => !names.has(name));
  const { errors = [] } = graphql.getVariableValues(schema, declared, variables, { maxErrors: MOST });
  return [
    ...unknown.map((name) => ({ message: `The operation declares no variable "$${name}".` })),
    ...errors.map(placed),
  ].slice(0, MOST);
}

function placed({ message, locations }: GraphQLError): GraphqlMistake {
  const [place] = locations ?? [];
  return { message, ...(place ? { line: place.line, column: place.column } : {}) };
}
