import { createRequire } from 'node:module';

import type { GraphQLSchema } from 'graphql';

import type { Ports, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import { findMistakes } from './find-mistakes.ts';

const PACKAGE = { package: 'graphql', version: '17.1.0' };
/** Larger texts are no schema that somebody wrote, and would hold up the run. */
const MOST_TOKENS = 2_000_000;

type Package = typeof import('graphql');

export const provider: Provider<'graphqlSchema'> = {
  open: async (context) => {
    const files = await context.port('files');
    const known = new Map<string, Promise<GraphQLSchema>>();
    return {
      mistakes: async (request) => {
        const graphql = await graphqlPackage();
        const schema = known.get(request.schema) ?? readSchema(request.schema, files, graphql);
        known.set(request.schema, schema);
        return findMistakes(await schema, request, graphql);
      },
    };
  },
};

async function graphqlPackage(): Promise<Package> {
  try {
    createRequire(import.meta.url).resolve(PACKAGE.package);
  } catch (cause) {
    throw fail.graphqlMissing({ ...PACKAGE, cause });
  }
  return await import('graphql');
}

async function readSchema(path: string, files: Ports['files'], graphql: Package): Promise<GraphQLSchema> {
  try {
    if (!(await files.find(path))) throw new Error('there is no such file');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(path));
    const schema = /^\s*\{/.test(text) ? ofIntrospection(text, graphql) : ofDefinitions(text, graphql);
    const [first] = graphql.validateSchema(schema);
    if (first) throw first;
    return schema;
  } catch (cause) {
    throw fail.graphqlSchema({ path, reason: cause instanceof Error ? cause.message : String(cause), cause });
  }
}

function ofDefinitions(text: string, graphql: Package): GraphQLSchema {
  return graphql.buildASTSchema(graphql.parse(text, { maxTokens: MOST_TOKENS }));
}

/** The answer of an introspection query, whole or without its `data`. */
function ofIntrospection(text: string, graphql: Package): GraphQLSchema {
  const answer = JSON.parse(text) as Json;
  const data = isObject(answer) && isObject(answer['data']) ? answer['data'] : answer;
  if (!isObject(data) || !isObject(data['__schema'])) throw new Error('it holds no "__schema"');
  return graphql.buildClientSchema(data as never);
}
