import { afterEach, expect, it, vi } from 'vitest';

import { readingOf } from '#grammar/encoding/reading.ts';

afterEach(() => void vi.unstubAllGlobals());

it('an encoding that the platform cannot read is not known', () => {
  const decoders = TextDecoder;
  vi.stubGlobal(
    'TextDecoder',
    class extends decoders {
      constructor(label?: string, options?: ConstructorParameters<typeof decoders>[1]) {
        if (label === 'iso-8859-16') throw new RangeError('The "iso-8859-16" encoding is not supported');
        super(label, options);
      }
    },
  );
  expect(readingOf('iso885916')).toBeUndefined();
  expect(readingOf('iso885915')).toEqual({ label: 'iso-8859-15' });
  expect(readingOf('latin1')).toBe('latin1');
});
