import { userCache } from '#compiler/engine/cache/user-cache.ts';

/** The lowest Node, as `MAJOR.MINOR`: the build puts it in. */
declare const LOWEST: string;
/** The command line, beside this file in the package. */
declare const ENTRY: string;
/** The verb that stands before what was given: `mcp` for `svc-mcp`; empty for `svc`. */
declare const VERB: string;

/**
 * The command `svc`. The compile cache of Node never covers the file that switches it on, so this file holds nothing
 * else; and what an older Node, which can read nothing else of ours, has to be told.
 */
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);
const [lowestMajor = 0, lowestMinor = 0] = LOWEST.split('.').map(Number);
if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) {
  const cache = userCache(process.env);
  // Never the folder that Node would take, which stands where every user of the machine can write.
  if (cache !== undefined) process.getBuiltinModule('node:module').enableCompileCache(`${cache}/compiled`);
  if (VERB !== '') process.argv.splice(2, 0, VERB);
  await import(ENTRY);
} else {
  // The door for text can be read by newer ones only: letters that a terminal might obey are left out here.
  const words = process.argv
    .slice(2)
    .join(' ')
    .replace(/[^ -~]/g, '?');
  process.stderr.write(
    `svc: Node ${node} is too old, it must be ${LOWEST} or newer. In a clone of the project, npm run svc brings one: npm run svc -- ${words}\n`,
  );
  process.exitCode = 2;
}
