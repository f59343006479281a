import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

/** One call of the file system that was made, or was made to fail. */
export interface Call {
  readonly name: string;
  readonly code: string;
  /** As it was given; a call on an open file has none. */
  readonly path: string;
}

export interface Failing {
  /** Calls count, and fail, from now on. */
  begin(): void;
  end(): void;
  /** Calls between the two, in order. */
  readonly calls: readonly Call[];
  /** Undefined where fewer calls were made. */
  readonly failed: Call | undefined;
  /** Puts the real calls back. */
  restore(): void;
}

/** Error of each call, as it may come from a real disk. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/^(?:write|append|copyFile|ftruncate)/, 'ENOSPC'],
  [/^(?:open|mkdtemp)/, 'EMFILE'],
  [/^(?:stat|lstat|readdir|mkdir|chmod|fchmod|utimes|futimes|readlink|realpath|symlink|access)/, 'EACCES'],
  [/^(?:unlink|rm|rmdir)/, 'EBUSY'],
  [/./, 'EIO'],
];
const synchronous = [
  'openSync',
  'closeSync',
  'readSync',
  'writeSync',
  'writeFileSync',
  'fchmodSync',
  'futimesSync',
  'ftruncateSync',
  'fsyncSync',
  'fstatSync',
  'statSync',
  'lstatSync',
  'readlinkSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'mkdirSync',
  'readdirSync',
  'rmSync',
  'rmdirSync',
  'copyFileSync',
  'chmodSync',
  'utimesSync',
] as const;
const awaited = [
  'open',
  'mkdir',
  'rename',
  'link',
  'unlink',
  'copyFile',
  'stat',
  'lstat',
  'utimes',
  'appendFile',
  'chmod',
  'readlink',
  'realpath',
  'rmdir',
  'rm',
  'symlink',
  'readFile',
  'readdir',
] as const;
const onHandles = [
  'write',
  'writev',
  'read',
  'chmod',
  'utimes',
  'sync',
  'datasync',
  'stat',
  'truncate',
  'close',
] as const;

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

/**
 * Makes the `nth` call (from 1; 0: none) of Node's file system below a folder fail. Calls elsewhere, such as loading
 * modules, do not count.
 */
export async function makeFailing(root: string, nth: number): Promise<Failing> {
  const calls: Call[] = [];
  const back: (() => void)[] = [];
  /** Numbers of files below the folder that are open. */
  const open = new Set<unknown>();
  let isOn = false;
  let failed: Call | undefined;

  /** The error of a call whose turn it is to fail. */
  const turn = (name: string, subject: unknown): Error | undefined => {
    const path = typeof subject === 'string' || Buffer.isBuffer(subject) ? String(subject) : '';
    const isElsewhere =
      typeof subject === 'number' ? !open.has(subject) : path !== '' && !resolve(root, path).startsWith(root);
    if (!isOn || isElsewhere) return undefined;
    const code = codes.find(([names]) => names.test(name))?.[1] ?? 'EIO';
    const call = { name, code, path };
    calls.push(call);
    if (calls.length !== nth) return undefined;
    failed = call;
    const syscall = name.replace(/Sync$|File/g, '');
    return Object.assign(new Error(`${code}: made to fail, ${syscall}${path === '' ? '' : ` '${path}'`}`), {
      code,
      syscall,
      errno: -5,
      ...(path !== '' && { path }),
    });
  };
  const patch = (owner: object, name: string, makeMethod: (real: Method) => Method): void => {
    const methods = owner as Record<string, Method>;
    const real = methods[name] as Method;
    methods[name] = Object.assign(makeMethod(real), real);
    back.push(() => void (methods[name] = real));
  };

  for (const name of synchronous) {
    patch(
      fs,
      name,
      (real) =>
        function patched(this: unknown, ...args) {
          const error = turn(name, args[0]);
          // What fails to close is closed all the same.
          if (error && name === 'closeSync') Reflect.apply(real, this, args);
          if (name === 'closeSync') open.delete(args[0]);
          if (error) throw error;
          const result = Reflect.apply(real, this, args);
          if (name === 'openSync' && resolve(root, String(args[0])).startsWith(root)) open.add(result);
          return result;
        },
    );
  }
  for (const name of awaited) {
    patch(
      fs.promises,
      name,
      (real) =>
        async function patched(this: unknown, ...args) {
          const error = turn(name, args[0]);
          if (error) throw error;
          return Reflect.apply(real, this, args);
        },
    );
  }
  const handle = await fs.promises.open(root, 'r');
  const prototype = Object.getPrototypeOf(handle) as object;
  await handle.close();
  for (const name of onHandles) {
    patch(
      prototype,
      name,
      (real) =>
        async function patched(this: unknown, ...args) {
          const error = turn(name, undefined);
          if (error && name === 'close') await Reflect.apply(real, this, args);
          if (error) throw error;
          return Reflect.apply(real, this, args);
        },
    );
  }
  patch(
    fs,
    'read',
    (real) =>
      function patched(this: unknown, ...args) {
        const error = turn('read', args[0]);
        if (!error) return Reflect.apply(real, this, args);
        const done = args.at(-1) as (error: Error) => void;
        setImmediate(() => done(error));
        return undefined;
      },
  );
  syncBuiltinESMExports();
  return {
    begin: () => void (isOn = true),
    end: () => void (isOn = false),
    calls,
    get failed() {
      return failed;
    },
    restore: () => {
      for (const put of back.reverse()) put();
      syncBuiltinESMExports();
    },
  };
}
