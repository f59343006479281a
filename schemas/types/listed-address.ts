/** The listed address of a host; letter case of the name does not matter. */
export function addressOf(host: string, names: Readonly<Record<string, string>> = {}): string | undefined {
  const wanted = host.toLowerCase();
  return Object.entries(names).find(([name]) => name.toLowerCase() === wanted)?.[1];
}
