import { lint, type Source } from '#compiler/api.ts';
import type { LeftOut } from '#compiler/collected.ts';
import { findings } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import type { AssistantFile } from '#runtime/servers/mcp/assistant-calls.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { compileSources } from '../compile-project.ts';
import { MOST_FOUND } from '../lists/action-problems.ts';
import { maskFor } from '../mask.ts';
import { openProject, type Project } from '../project.ts';
import { readGiven } from '../run/read-given.ts';
import { makeService } from '../service.ts';
import { sourcesOf } from '../sources-of.ts';

/** Question of an assistant about a file below a project root: data alone, so that another thread can be given it. */
export interface FileWork {
  readonly purpose: 'check' | 'lint' | 'plan';
  /** Project root, absolute. */
  readonly root: string;
  readonly file: AssistantFile;
}

/** Findings that an answer holds, the first of the file; more nobody reads. */
const MOST_FINDINGS = 100;

/** Findings on a file in their machine form, beside the number of those `left_out`; or the plan of a sound file. */
export async function answerOn({ purpose, root, file }: FileWork, host: Host): Promise<Json> {
  if (purpose === 'plan') return (await makeService(root, host, { origin: 'network' }).plan([file])) as unknown as Json;
  const project = await openProject(root, host);
  const { files, diagnostics, leftOut } = await found(purpose, await readGiven([file], project), project);
  const texts = sourcesOf(files);
  const located = locate(diagnostics, texts, maskFor([project], files));
  const shown = located.slice(0, MOST_FINDINGS);
  const told = findings(shown, texts, files.length) as unknown as JsonObject;
  const more = located.length - shown.length + leftOut.errors + leftOut.others;
  return more > 0 ? { ...told, left_out: more } : told;
}

interface Found {
  readonly files: Parameters<typeof sourcesOf>[0];
  readonly diagnostics: readonly Diagnostic[];
  readonly leftOut: LeftOut;
}

async function found(purpose: 'check' | 'lint', sources: readonly Source[], project: Project): Promise<Found> {
  const { host, compileOptions } = project;
  if (purpose === 'check')
    return compileSources('check', sources, { host, compileOptions: { ...compileOptions, mostFindings: MOST_FOUND } });
  // A lint needs all findings, for a suppression that none of them needs is a finding too.
  const { ignore: _ignored, paths: _paths, ...rules } = project.configuration.lint;
  const { compilation, diagnostics } = await lint(sources, { ...compileOptions, lint: rules }, host);
  return { files: compilation.files, diagnostics, leftOut: compilation.leftOut };
}
