/** Something about the headers of an answer that weakens a service. */
export interface Finding {
  readonly header: string;
  readonly severity: 'high' | 'medium' | 'low';
  readonly message: string;
}

/** Header values by name in lower case. */
export function byName(headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
