import { resolve } from 'node:path';

import { Reader } from '#compiler/reader.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Plan } from '#schemas/types/plan.ts';

import { isMatch } from '../configuration/check-configuration.ts';
import type { RunPart } from './part.ts';
import { lastFile, unitsOfFiles } from './parts.ts';
import { programOfPlan } from '../program.ts';
import { readSchema } from '../schemas.ts';

const planLine = /^const __svc_text = '([^'\\\n]*(?:\\[\\'][^'\\\n]*)*)', __svc_plan = JSON\.parse\(__svc_text\);$/m;
const hashLine = /^ {2}plan: __svc_plan, text: __svc_text, hash: "([0-9a-f]{64})"/m;

/** A compiled program as its plan says: for a list nothing of it is loaded, let alone run. */
export async function listedProgram(path: string, cwd: string): Promise<RunPart> {
  const { plan, hash } = await planOf(path, cwd);
  return {
    program: programOfPlan({ plan, hash }, {}, { gates: {} }),
    units: plan.units,
    listed: unitsOfFiles(plan.units, lastFile(plan.units)),
    root: cwd,
    settings: {},
    absent: [],
  };
}

async function planOf(path: string, cwd: string): Promise<{ readonly plan: Plan; readonly hash: string }> {
  const host = nodeHost({ cwd });
  const file = resolve(cwd, path);
  try {
    const text = new TextDecoder().decode(await new Reader(host.files, { roots: [file] }).read(file));
    const [, hash = ''] = hashLine.exec(text) ?? [];
    const written = planLine.exec(text)?.[1]?.replace(/\\([\\'])/g, '$1');
    const digest = host.digest('sha256');
    if (written === undefined || !digest) throw new Error('it holds no plan');
    digest.update(new TextEncoder().encode(written));
    if (digest.hex() !== hash) throw new Error('its plan is not what was compiled');
    const plan = JSON.parse(written) as Json;
    const [unfit] = checkSchema(JSON.parse(await readSchema('plan')) as JsonObject, plan, isMatch);
    if (unfit) throw new Error(`its plan does not fit at ${unfit.instancePath}`);
    return { plan: plan as unknown as Plan, hash };
  } catch (cause) {
    throw fail.programNotReadable({ path, cause });
  }
}
