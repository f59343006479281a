import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hostWith } from './hosts/node/host-with.ts';
import type { Implementation, Load } from './kernel/linked.ts';
import { readArguments, usage, type ProgramArguments } from './program/arguments.ts';
import { execute, explainError } from './program/execute.ts';
import { exitNow } from './program/foreign-exit.ts';
import { standardError, standardOutput } from './program/standard-streams.ts';
import { handOver, type CompiledProgram } from './program/taken.ts';
import { verify } from './program/verify.ts';

/**
 * Runs a compiled program with the words behind its name and ends the process with the run's status, unless somebody
 * has imported it to run it. Never throws.
 */
export function start(given: CompiledProgram): void {
  const whole = import.meta.withoutForeignCode ? given : withModules(given);
  const program = import.meta.withoutStops ? whole : withStops(whole);
  if (handOver(program)) return;
  process.on('uncaughtException', (error) => leave(program, error));
  main(program).then(end, (error: unknown) => leave(program, error));
}

async function main(program: CompiledProgram): Promise<number> {
  const args = readArguments(process.argv.slice(2));
  if (args) return executeHere(program, args);
  standardOutput.write(`${usage}\n`);
  return 0;
}

function executeHere(program: CompiledProgram, args: ProgramArguments): Promise<number> {
  const host = hostWith(program.host);
  verify(program, dirname(fileURLToPath(import.meta.url)), resolve(host.cwd, args.root ?? '.'));
  return execute(program, args, program.reporters, host);
}

/** One function stands behind all commands of modules, whose names only the plan tells. */
function withModules(program: CompiledProgram): CompiledProgram {
  const { modules } = program.parts ?? {};
  if (!modules) return program;
  const names = Object.entries(program.plan.commands)
    .filter(([, facts]) => facts.module)
    .map(([name]) => name);
  return {
    ...program,
    places: program.places,
    commands: { ...program.commands, ...Object.fromEntries(names.map((name) => [name, modules])) },
  };
}

/** Calls a step's own line before its command, with the step and its parameters. */
function withStops(program: CompiledProgram): CompiledProgram {
  if (!program.stops) return program;
  const stops = new Map(Object.keys(program.places).map((id, index) => [id, program.stops?.[index]]));
  const stopped =
    (load: Load<Implementation>): Load<Implementation> =>
    async () => {
      const implementation = await load();
      return (params, ctx) => {
        stops.get(ctx.step.id)?.(ctx.step, params);
        return implementation(params, ctx);
      };
    };
  return {
    ...program,
    places: program.places,
    commands: Object.fromEntries(Object.entries(program.commands).map(([name, load]) => [name, stopped(load)])),
  };
}

function leave(program: CompiledProgram, error: unknown): void {
  const { text, status } = explainError(error, program.generator);
  standardError.write(text);
  end(status);
}

/** Open sockets and the like of a run that has ended keep nobody waiting; what was written is. */
function end(status: number): void {
  process.exitCode = status;
  standardOutput.whenWritten(() => standardError.whenWritten(() => exitNow(status)));
}
