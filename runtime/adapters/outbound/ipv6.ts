/** The eight groups of an IPv6 address, which must be one. */
export function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = withoutDots(address).split('::');
  const before = numbers(head);
  const after = numbers(tail ?? '');
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * The IPv4 address that is asked in truth where the network translates: IPv4-mapped (::ffff:0:0/96), NAT64
 * (64:ff9b::/96) and 6to4 (2002::/16). It decides, so that networks that have nothing but IPv6 keep working.
 */
export function ipv4Of(groups: readonly number[]): string | undefined {
  const [first, second, third, , , sixth] = groups;
  const isZero = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0);
  if (isZero(0, 5) && sixth === 0xffff) return dotted(groups[6], groups[7]);
  if (first === 0x64 && second === 0xff9b && isZero(2, 6)) return dotted(groups[6], groups[7]);
  return first === 0x2002 ? dotted(second, third) : undefined;
}

function numbers(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `::ffff:127.0.0.1` with its last four numbers as two groups. */
function withoutDots(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
