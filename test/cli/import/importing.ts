import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect } from 'vitest';

import { startApiServer } from '../../commands/api/api-server.ts';
import type { Started } from '../../commands/api/servers.ts';
import { svc, type Said } from '../svc.ts';

/** Folder with the strict preset, beside a server, in which `svc` works. */
export interface Importing {
  readonly folder: string;
  /** Address of the server. */
  readonly url: string;
  put(path: string, content: string | object): void;
  call(args: readonly string[], env?: Record<string, string>): Promise<Said>;
  /** Imports, and holds what was made to the strict preset; yields the text. */
  imported(source: string, out: string, env?: Record<string, string>): Promise<string>;
}

/** Makes it before the first test of a file, and takes it away after the last. */
export function importing(): Importing {
  let folder = '';
  let server: Started;
  const put = (path: string, content: string | object): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const call = (args: readonly string[], env: Record<string, string> = {}): Promise<Said> => svc(folder, args, { env });
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-imports-')));
    server = await startApiServer();
    put('svc.config.yaml', 'lint: { preset: strict }\n');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get url() {
      return server.url;
    },
    put,
    call,
    imported: async (source, out, env = {}) => {
      const said = await call(['import', source, out, '--force']);
      expect(said).toMatchObject({ exit: 0 });
      const linted = await call(['lint', out, '--max-warnings', '0'], env);
      expect(linted).toEqual({ stdout: '', stderr: 'nothing found in 1 file\n', exit: 0 });
      return readFileSync(join(folder, out), 'utf8');
    },
  };
}
