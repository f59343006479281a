import { lint, type Source } from '#compiler/api.ts';
import { findings } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import type { AssistantFile } from '#runtime/servers/mcp/assistant-calls.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';

import { compileSources } from '../compile-project.ts';
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
  const { files, diagnostics } = await found(purpose, await readGiven([file], project), project);
  const texts = sourcesOf(files);
  const located = locate(diagnostics, texts, maskFor([project], files));
  const told = findings(located.slice(0, MOST_FINDINGS), texts, files.length) as unknown as { [key: string]: Json };
  return located.length > MOST_FINDINGS ? { ...told, left_out: located.length - MOST_FINDINGS } : told;
}

interface Found {
  readonly files: Parameters<typeof sourcesOf>[0];
  readonly diagnostics: readonly Diagnostic[];
}

async function found(purpose: 'check' | 'lint', sources: readonly Source[], project: Project): Promise<Found> {
  if (purpose === 'check') return compileSources('check', sources, project);
  const { ignore: _ignored, paths: _paths, ...rules } = project.configuration.lint;
  const options = { ...project.compileOptions, lint: rules };
  const { compilation, diagnostics } = await lint(sources, options, project.host);
  return { files: compilation.files, diagnostics };
}
