import type { Ajv } from 'ajv';

import type { Regex } from '#runtime/kernel/ports.ts';

/** Length of a text up to which any expression of a format is quick. */
const SHORT = 1000;

/** Holds long texts to the formats of ajv under the kernel's time limit: some take the square of the length. */
export function boundFormats(ajv: Ajv, regex: Regex): void {
  for (const [name, format] of Object.entries(ajv.formats))
    if (format instanceof RegExp)
      ajv.formats[name] = (text: string) =>
        text.length <= SHORT ? format.test(text) : regex.match(format.source, format.flags, text) !== null;
}
