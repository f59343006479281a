import type { Catalogue } from '#compiler/catalogue.ts';
import type { Json } from '#schemas/types/json.ts';

/** Default values of a command's parameters, by name. */
export type DefaultsOf = (command: string) => Readonly<Record<string, Json>>;

/** The defaults of these commands, which are loaded for it. */
export async function defaultsIn(catalogue: Catalogue, commands: Iterable<string>): Promise<DefaultsOf> {
  const names = [...commands].filter((name) => catalogue.has(name));
  await catalogue.prepare(names);
  const defaults = new Map(
    names.map((name) => {
      const given = (catalogue.get(name)?.params ?? []).filter((parameter) => parameter.default !== undefined);
      return [name, Object.fromEntries(given.map(({ name: key, default: value }) => [key, value ?? null]))] as const;
    }),
  );
  return (command) => defaults.get(command) ?? {};
}
