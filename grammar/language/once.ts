/**
 * Something that is slow to load and that most files do not need: a Chevrotain grammar. `load` awaits it once; `loaded`
 * gives it to callers that cannot wait, and is undefined before.
 */
export interface Once<T> {
  load(): Promise<T>;
  readonly loaded: T | undefined;
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  return {
    load() {
      loading ??= make().then((made) => (loaded = made));
      return loading;
    },
    get loaded() {
      return loaded;
    },
  };
}
