import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Compilation, LoadedFile } from '#compiler/api.ts';
import { MANIFEST, programs, type Emitted, type ProgramOptions, type Programs } from '#compiler/programs.ts';
import type { Bounds } from '#runtime/program/output.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { readReportRequest } from '#runtime/program/reports.ts';
import { many, one } from '../options.ts';
import { openLinkCache } from '#compiler/engine/cache/link-cache.ts';
import { packageFolder } from '#compiler/engine/own/package-folder.ts';
import { compileFor, openWorkspaces, printFindings, type Workspace } from '../workspace.ts';
import { together } from '../together.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const workspaces = await openWorkspaces(args, terminal);
  const compilations = await Promise.all(workspaces.map((workspace) => compileFor('compile', workspace)));
  const out = resolve(terminal.cwd, one(args.options, 'out') ?? 'dist');
  const made: Programs[] = [];
  for (const [index, workspace] of workspaces.entries()) {
    const compilation = compilations[index];
    if (!compilation) continue;
    const beside = compilations.flatMap((other) => (other === compilation ? [] : listedFiles(other)));
    made.push(await programs(compilation, programOptions(workspace, { args, terminal, out, beside }), workspace.host));
  }
  const bounds = [...workspaces.flatMap((workspace) => workspace.bounds), out];
  const { diagnostics: findings, files } = together(
    compilations.map((compilation, index) => ({
      files: compilation.files,
      diagnostics: [...compilation.diagnostics, ...(made[index]?.diagnostics ?? [])],
    })),
    workspaces,
    terminal.cwd,
  );
  printFindings(findings, files, workspaces, terminal);
  const emitted: Emitted[] = [];
  const isFree = made.every(({ diagnostics }) => diagnostics.length === 0);
  for (const each of isFree ? made : []) {
    for await (const program of each.emitted) {
      await write(program, out, { bounds, withPlan: args.options['plan'] === true });
      emitted.push(program);
    }
  }
  const manifest = emitted.length > 0 ? (made[0]?.manifest(emitted) ?? '') : '';
  if (emitted.length > 0) await writeOutput(join(out, MANIFEST), manifest, bounds);
  if (args.options['json']) terminal.out(manifest, 'json');
  else if (emitted.length > 0)
    terminal.err(
      `${emitted.length} ${emitted.length === 1 ? 'program' : 'programs'} in ${one(args.options, 'out') ?? 'dist'}\n`,
    );
  return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

interface Compiling {
  readonly args: ParsedArguments;
  readonly terminal: Terminal;
  readonly out: string;
  readonly beside: readonly LoadedFile[];
}

function programOptions(
  { configuration }: Workspace,
  { args: { options }, terminal, out, beside }: Compiling,
): ProgramOptions {
  const cache = openLinkCache(terminal.env);
  return {
    out,
    beside,
    minify: options['minify'] === true,
    debug: options['debug'] === true,
    reporters: reportersOf(options, configuration.reporters),
    settings: configuration.settings as unknown as JsonObject,
    packageFolder: fileURLToPath(packageFolder).replace(/[/\\]$/, ''),
    ...(cache && { cache }),
  };
}

/** Files that become programs. */
function listedFiles({ files, isBroken }: Compilation): readonly LoadedFile[] {
  return files.filter(({ isPulledIn, source }) => !isPulledIn && !isBroken(source));
}

interface Writing {
  readonly bounds: Bounds;
  readonly withPlan: boolean;
}

/** Reporters by name: those of the command line and of the configuration, where files stand behind names. */
function reportersOf(options: ParsedArguments['options'], configured: readonly string[]): readonly string[] {
  return [...many(options, 'reporter'), ...configured].map((given) => readReportRequest(given, undefined).name);
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
