import { resolve } from 'node:path';

import { lint } from '#compiler/api.ts';
import { findings } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import { isBelow } from '#compiler/reader.ts';
import type { AssistantFile } from '#runtime/servers/mcp/assistant-calls.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Plan } from '#schemas/types/plan.ts';

import { maskFor } from '../mask.ts';
import type { Project } from '../project.ts';
import { makeService } from '../service.ts';
import { sourcesOf } from '../sources-of.ts';

/** Findings on a file below the project root in their machine form. */
export async function findingsOf(purpose: 'check' | 'lint', file: AssistantFile, project: Project): Promise<Json> {
  const { root, host } = project;
  if (purpose === 'check')
    return (await makeService(root, host, { origin: 'network' }).check([file])) as unknown as Json;
  const path = resolve(root, file.path);
  if (!isBelow(path, root)) throw fail.inputOutside({ path: file.path });
  const content = file.content ?? (await project.reader.read(path));
  const { ignore: _ignored, paths: _paths, ...rules } = project.configuration.lint;
  const options = { ...project.compileOptions, lint: rules };
  const { compilation, diagnostics } = await lint([{ path, content }], options, host);
  const texts = sourcesOf(compilation.files);
  return findings(
    locate(diagnostics, texts, maskFor([project], compilation.files)),
    texts,
    compilation.files.length,
  ) as unknown as Json;
}

/** The plan of a file without mistakes. */
export function planOf(file: AssistantFile, { root, host }: Project): Promise<Plan> {
  return makeService(root, host, { origin: 'network' }).plan([file]);
}
