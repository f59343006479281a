import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import { PathError, readPath } from '../../read-path.ts';
import { diffPayloads, writePath } from './diff-payloads.ts';
import { diffSpecs } from './diff-specs.ts';

const command = commandRaising('APITesterException');

export const AT_diff_payloads = command('AT_diff_payloads', ({ left, right, ignore_paths: ignored }) => {
  const paths = ignored.map((path) => {
    const route = readPath(path);
    if (route instanceof PathError) throw fail.diffPath({ path, rest: path.slice(route.at) });
    return writePath(route);
  });
  return diffPayloads(left as Json, right as Json, paths);
});

export const AT_diff_openapi_specs = command('AT_diff_openapi_specs', ({ left, right }) =>
  diffSpecs(left as JsonObject, right as JsonObject),
);
