/**
 * Sends files as a unit would, in a process that a test can kill: `node upload-child.ts ROOT CALLS`, where the calls
 * are a JSON list of commands with their parameters.
 */
import { session } from '../../session.ts';

const [, , root = '', calls = '[]'] = process.argv;
await using unit = await session({ root, settings: { gates: { private: true } } });
for (const [name, params] of JSON.parse(calls) as [string, Record<string, unknown>][]) await unit.call(name, params);
