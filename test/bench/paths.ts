import { fileURLToPath } from 'node:url';

/** The built command line, and the folder of floor scripts. */
export const svc = fileURLToPath(new URL('../../dist/bin/svc.js', import.meta.url));
export const nothing = { args: ['-e', '0'] } as const;

export function floor(name: string): string {
  return fileURLToPath(new URL(`floors/${name}.mjs`, import.meta.url));
}
