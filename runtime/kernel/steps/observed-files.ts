import type { FileCopy, Files, MovedEntry } from '#schemas/types/host.ts';

import type { WriteObserver } from '../ports.ts';

/** The paths that a call changes, by the method's name; other methods change nothing. */
const changed: Readonly<Record<string, (...args: readonly unknown[]) => readonly unknown[]>> = {
  write: first,
  writeStream: first,
  append: first,
  makeDirectory: first,
  remove: first,
  removeTree: first,
  setTimes: first,
  setMode: first,
  copy: second,
  link: second,
  rename: (from, to) => [from, to],
  moveInto: (folder, entries) => {
    const moved = entries as readonly MovedEntry[];
    return [folder, ...moved.flatMap(({ from, name }) => [from, `${String(folder)}/${name}`])];
  },
  copyMany: (copies) => (copies as readonly FileCopy[]).map(({ to }) => to),
};

/** The same files, where somebody hears of each change before and after it. */
export function observedFiles(files: Files, observer: WriteObserver): Files {
  return new Proxy(files, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const pathsOf = typeof key === 'string' && Object.hasOwn(changed, key) ? changed[key] : undefined;
      if (pathsOf === undefined) return value.bind(target) as unknown;
      return async (...args: readonly unknown[]) => {
        const paths = pathsOf(...args).map(String);
        for (const path of paths) await observer.before(path);
        try {
          return await (Reflect.apply(value, target, args) as unknown);
        } finally {
          for (const path of paths) await observer.after(path);
        }
      };
    },
  });
}

function first(path: unknown): readonly unknown[] {
  return [path];
}

function second(_: unknown, path: unknown): readonly unknown[] {
  return [path];
}
