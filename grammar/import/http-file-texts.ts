/** A command line with a variable of the shell for each `{{name}}`, outside of the quotes in which it would be text. */
export function withShellVariables(text: string): { readonly line: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const variable = /\{\{([^{}]*)\}\}/g;
  const reference = (name: string): string => `\${SVC_VARIABLE_${names.push(name) - 1}}`;
  const line = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|\{\{[^{}]*\}\}/gs, (part) =>
    part.replace(variable, (_, name: string) => (part.startsWith("'") ? `'"${reference(name)}"'` : reference(name))),
  );
  return { line, names };
}

/** An address with its scheme; one that is a path alone goes to the host that a header names. */
export function withScheme(address: string, host: string | undefined): string {
  if (/^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(address)) return address;
  if (!address.startsWith('/') || host === undefined) return `http://${address}`;
  return `${host.endsWith(':443') ? 'https' : 'http'}://${host}${address}`;
}

/** Seconds of `3`, `3 s`, `500 ms` or `2 m`; undefined: it is no time. */
export function seconds(text: string | undefined): number | undefined {
  const [, count, unit = 's'] = /^(\d+)\s*(ms|s|m)?$/.exec(text ?? '') ?? [];
  const each = { ms: 0.001, s: 1, m: 60 }[unit];
  return count === undefined || Number(count) === 0 || each === undefined ? undefined : Number(count) * each;
}
