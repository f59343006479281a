import { node } from '../steps.ts';

/** `npm start`: builds what is not built yet, then runs the quick start from end to end. */
const built = await node('.ci/build/main.ts', ['--if-needed']);
process.exitCode = built || (await node('examples/quick-start/start.ts', process.argv.slice(2)));
