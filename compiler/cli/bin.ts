import { exitNow } from '#runtime/program/foreign-exit.ts';
import { standardError, standardOutput } from '#runtime/program/standard-streams.ts';

import { bug, isUnwritten, main, unwritten } from './main.ts';
import { processTerminal } from './terminal.ts';

/** Time (ms) that a process may take to end by itself when its work is done. */
const LEFT_MS = 500;

const terminal = processTerminal();
process.on('uncaughtException', (error) =>
  process.exit(isUnwritten(error) ? unwritten(error, terminal) : bug(error, terminal)),
);
const status = await main(process.argv.slice(2), terminal);
process.exitCode = status;
// A library that still holds a connection or a timer keeps nobody waiting; without one the process has ended before.
setTimeout(() => standardOutput.whenWritten(() => standardError.whenWritten(() => exitNow(status))), LEFT_MS).unref();
