import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import { requestIdentity } from './fields.ts';

export interface RunDiff {
  readonly new_failures: string[];
  readonly new_passes: string[];
  readonly still_failing: string[];
  readonly still_passing: string[];
}

type Files = Pick<Ports, 'files'>;

/** Differences between two saved runs. Success files count where they stand beside the failure files. */
export async function diffRuns(previous: string, current: string, ctx: Files): Promise<RunDiff> {
  const [before, after] = [await readRun(previous, ctx), await readRun(current, ctx)];
  const gone = before.failed.difference(after.failed);
  return {
    new_failures: sorted(after.failed.difference(before.failed)),
    new_passes: sorted(after.passed ? gone.intersection(after.passed) : gone),
    still_failing: sorted(before.failed.intersection(after.failed)),
    still_passing:
      before.passed && after.passed
        ? sorted(before.passed.intersection(after.passed).difference(before.failed).difference(after.failed))
        : [],
  };
}

interface SavedRun {
  readonly failed: Set<string>;
  /** Undefined: nobody knows what passed. */
  readonly passed: Set<string> | undefined;
}

async function readRun(path: string, ctx: Files): Promise<SavedRun> {
  const failed = await readNames(path, ctx);
  const beside = path.replace(/_failure\.json$/, '_success.json');
  const hasSuccesses = beside !== path && (await ctx.files.find(beside)) !== undefined;
  return { failed, passed: hasSuccesses ? await readNames(beside, ctx) : undefined };
}

async function readNames(path: string, { files }: Files): Promise<Set<string>> {
  if (!(await files.find(path))) throw fail.savedReport({ path, reason: 'there is no such file' });
  const parsed = parseJson(new TextDecoder().decode(await files.read(path)));
  if ('error' in parsed) throw fail.savedReport({ path, reason: parsed.error });
  if (!isObject(parsed.json)) throw fail.savedReport({ path, reason: 'it is no object' });
  return new Set(
    Object.entries(parsed.json).map(([key, entry]) => {
      if (!isObject(entry)) throw fail.savedReport({ path, reason: `"${key}" is no object` });
      return requestIdentity(readFields(entry)) ?? key;
    }),
  );
}

/** Fields of a saved entry that name its request; `None` is nothing. */
function readFields(entry: JsonObject): JsonObject {
  const known = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== 'None'));
  const history = typeof entry['history'] === 'string' ? parseJson(entry['history']) : { json: entry['history'] };
  return { ...known, history: ('json' in history ? history.json : null) ?? null };
}

function sorted(names: ReadonlySet<string>): string[] {
  return [...names].toSorted();
}
