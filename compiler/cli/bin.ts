import { bug, main } from './main.ts';
import { processTerminal } from './terminal.ts';

const terminal = processTerminal();
process.on('uncaughtException', (error) => process.exit(bug(error, terminal)));
process.exitCode = await main(process.argv.slice(2), terminal);
