import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../built.ts';
import { svc } from '../cli/svc.ts';

/** Claims of the top README that a reader tries first. */
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const [, sample = ''] = /^```yaml\n(meta: [\s\S]*?)^```$/m.exec(readme) ?? [];

let place: string;
let shop: Server;
let base: string;

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'svc-readme-'));
  writeFileSync(path.join(place, 'paid.yaml'), sample);
  shop = createServer((request, response) => {
    const isPaid = request.url === '/orders/17';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ state: isPaid ? 'paid' : 'open', receipt: 'r-1' }));
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});

afterAll(() => {
  shop.close();
  rmSync(place, { recursive: true, force: true });
});

describe('the README', () => {
  it('begins with a file that lints without a finding and passes', async () => {
    const env = { BASE_URL: base };
    const linted = await svc(place, ['lint', 'paid.yaml', '--json'], { env });
    expect(JSON.parse(linted.stdout)).toMatchObject({ diagnostics: [] });
    const ran = await svc(place, ['run', 'paid.yaml', '--var', 'order=17'], { env });
    expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
    expect(readFileSync(path.join(place, 'evidence/r-1.json'), 'utf8')).toContain('"paid"');
  });

  it('shows a program that runs as it stands', async () => {
    const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    writeFileSync(path.join(place, 'program.mjs'), program);
    mkdirSync(path.join(place, 'node_modules'));
    symlinkSync(root, path.join(place, 'node_modules/svc'));
    const environment = { ...process.env, BASE_URL: base };
    const args = ['--conditions=source', 'program.mjs'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: place, env: environment });
    expect(stdout).toBe('1\n[]\n');
  });

  it('names files, folders and scripts that are there', () => {
    const links = Array.from(readme.matchAll(/\]\(((?!https?:)[^)#]+)\)/g), ([, target = '']) => target);
    const examples = Array.from(
      readme.matchAll(/`((?:api|files|graphs|browser|project|own-commands)\/[^` ]*)`/g),
      ([, name = '']) => (existsSync(path.join(root, 'examples', name)) ? `examples/${name}` : name),
    );
    const lacking = [...links, ...examples].filter((name) => !existsSync(path.join(root, name)));
    expect(lacking).toEqual([]);
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const named = Array.from(readme.matchAll(/npm run ([\w:]+)/g), ([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
