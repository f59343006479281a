/** The files that reports of a base name are written to, by format. */
export function expectedPaths(base: string, folder: string | null): Record<string, string[]> {
  return {
    json: [`${base}_success.json`, `${base}_failure.json`],
    xml: [`${base}_success.xml`, `${base}_failure.xml`],
    html: [`${base}.html`],
    junit: [`${base}_junit.xml`],
    ...(folder ? { reportfmt: [folder] } : {}),
  };
}
