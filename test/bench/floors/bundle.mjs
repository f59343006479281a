import { build } from 'esbuild';

const [, , file, outdir] = process.argv;
await build({ entryPoints: [file], outdir, bundle: true, format: 'esm', platform: 'node' });
