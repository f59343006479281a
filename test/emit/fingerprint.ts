import { createHash } from 'node:crypto';

import { makePrograms } from './make-programs.ts';

/** Compiles files of a folder and prints a hash of everything that comes out: `fingerprint.ts FOLDER FILE…`. */
const [folder = '.', ...sources] = process.argv.slice(2);
const { emitted, manifest, diagnostics } = await makePrograms(folder, sources);
if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
const hash = createHash('sha256').update(manifest);
for (const { program, map, plan } of emitted) hash.update(program).update(map).update(plan);
process.stdout.write(hash.digest('hex'));
