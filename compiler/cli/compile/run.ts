import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { MANIFEST, programs, type Emitted } from '#compiler/programs.ts';
import type { Bounds } from '#runtime/program/output.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { one } from '../options.ts';
import { openLinkCache } from '#compiler/engine/cache/link-cache.ts';
import { packageFolder } from '#compiler/engine/package-folder.ts';
import { compileFor, openSession, printFindings } from '../session.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const session = await openSession(args, terminal);
  const compilation = await compileFor('compile', session);
  const out = resolve(terminal.cwd, one(args.options, 'out') ?? 'dist');
  const cache = openLinkCache(terminal.env);
  const made = await programs(
    compilation,
    {
      out,
      minify: args.options['minify'] === true,
      debug: args.options['debug'] === true,
      settings: session.configuration.settings as unknown as JsonObject,
      packageFolder: fileURLToPath(packageFolder).replace(/[/\\]$/, ''),
      ...(cache && { cache }),
    },
    session.host,
  );
  const bounds = [...session.bounds, out];
  const findings = [...compilation.diagnostics, ...made.diagnostics];
  printFindings(findings, compilation.files, session, terminal);
  const emitted: Emitted[] = [];
  for await (const program of made.emitted) {
    await write(program, out, { bounds, withPlan: args.options['plan'] === true });
    emitted.push(program);
  }
  if (emitted.length > 0) await writeOutput(join(out, MANIFEST), made.manifest(emitted), bounds);
  if (args.options['json']) terminal.out(emitted.length > 0 ? made.manifest(emitted) : '', 'json');
  else if (emitted.length > 0)
    terminal.err(
      `${emitted.length} ${emitted.length === 1 ? 'program' : 'programs'} in ${one(args.options, 'out') ?? 'dist'}\n`,
    );
  return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

interface Writing {
  readonly bounds: Bounds;
  readonly withPlan: boolean;
}

async function write(
  { outputs, program, map, plan }: Emitted,
  out: string,
  { bounds, withPlan }: Writing,
): Promise<void> {
  await writeOutput(join(out, outputs.program), program, bounds);
  await writeOutput(join(out, outputs.map), map, bounds);
  if (withPlan) await writeOutput(join(out, outputs.plan), plan, bounds);
}
