import { printableBlock } from '#grammar/source/printable.ts';
import { load, verbs } from '#schemas/generated/cli.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, Terminal, Verb } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import { shortened } from '#schemas/types/message-text.ts';

import { overview, verbHelp, type Page } from './help.ts';
import { nearest } from '#compiler/engine/nearest.ts';
import { parseArguments } from './parse-arguments.ts';
import { version } from '#compiler/engine/version.ts';

/** Beginning of a command line that has no verb: flags of before there were verbs. */
const oldFlag = /^(?:-[edc]|--(?:execute|create)[-_])/;

/** The command line: words behind `svc` in, exit status out. Never throws. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    if (error instanceof Failure) return wrongUse(error, terminal);
    return bug(error, terminal);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  const [first, ...rest] = argv;
  switch (first) {
    case undefined:
      terminal.err(
        overview(verbs, (await import('#compiler/engine/chapters.ts')).chapterNames(), pageOn(terminal, 'err')),
      );
      return 2;
    case '--version':
    case '-V':
      terminal.out(`svc ${version}\n`);
      return 0;
    case '--help':
    case '-h':
    case 'help':
      return help(rest[0], terminal);
    case '__complete':
      return (await import('./completion/complete.ts')).complete(rest, terminal);
    case '__unit':
      return (await import('#compiler/engine/worker/serve-unit.ts')).serveUnit(rest[0]);
    default:
      if (oldFlag.test(first))
        return (await import('./one-command/old-flags.ts')).runOldFlags(argv, terminal, dispatch);
      return runVerb(find(first), rest, terminal);
  }
}

/** A page on a verb, or a chapter of the language reference. */
async function help(name: string | undefined, terminal: Terminal): Promise<ExitStatus> {
  const verb = name === undefined ? undefined : verbs.find((candidate) => candidate.name === name);
  const { chapterNames, chapterText } = await import('#compiler/engine/chapters.ts');
  if (name === undefined) terminal.out(overview(verbs, chapterNames(), pageOn(terminal, 'out')));
  else
    terminal.out(
      (verb ? undefined : chapterText(name)) ?? verbHelp(verb ?? find(name, chapterNames()), pageOn(terminal, 'out')),
    );
  return 0;
}

function pageOn({ colours, isTerminal, columns }: Terminal, stream: 'out' | 'err'): Page {
  return { colour: colours[stream], ...(isTerminal && { columns }) };
}

function find(name: string, others: readonly string[] = []): Verb {
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb) return verb;
  throw fail.unknownVerb({
    verb: name,
    ...nearest(name, [...verbs.map((candidate) => candidate.name), ...others]),
  });
}

async function runVerb(verb: Verb, argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.includes('--help') || flags.includes('-h')) return help(verb.name, terminal);
  const args = parseArguments(verb, argv);
  if (args.options['confined'] && process.permission === undefined) {
    return (await import('./confine.ts')).confined(args, [verb.name, ...argv], terminal);
  }
  const module = await load[verb.name]?.();
  if (!module) throw new Error(`the verb "${verb.name}" has no implementation`);
  return module.run(args, terminal);
}

function wrongUse(failure: Failure, terminal: Terminal): ExitStatus {
  const { code, message, help: advice } = failure.facts;
  terminal.err(
    `error[${code}]: ${printableBlock(shortened(message), '  | ')}\n${advice ? `  = ${printableBlock(shortened(advice), '    ')}\n` : ''}`,
  );
  return 2;
}

/** Whether a stream of this process could not be written: its device is full, or fails. Files have a path. */
export function isUnwritten(error: NodeJS.ErrnoException): boolean {
  return error.syscall === 'write' && error.path === undefined;
}

/** Tells that the output is not whole, where that can still be told. */
export function unwritten(error: Error, terminal: Terminal): ExitStatus {
  return wrongUse(fail.outputNotWritten({ path: 'standard output', reason: reasonOf(error), cause: error }), terminal);
}

/** Tells of a bug of ours, and how to report it. */
export function bug(error: unknown, terminal: Terminal): ExitStatus {
  const reason = error instanceof Error ? error.message : String(error);
  const failure = fail.internalBug({ reason });
  const stack = error instanceof Error && error.stack ? error.stack : reason;
  terminal.err(`error[${failure.facts.code}]: ${shortened(failure.message)}\n  = ${failure.facts.help ?? ''}\n\n`);
  terminal.err(`svc ${version}, Node ${process.version}, ${process.platform} ${process.arch}\n${stack}\n`);
  return 70;
}
