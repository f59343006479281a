/** A text as an XPath expression of version 1, which knows no escapes in texts. */
export function xpathText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split('"')
    .map((part) => `"${part}"`)
    .join(`, '"', `)})`;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** A mistake in the brackets and quotes of an XPath; undefined where there is none. The rest a browser reads. */
export function xpathProblem(path: string): string | undefined {
  const open: string[] = [];
  for (let at = 0; at < path.length; at += 1) {
    const char = path[at] ?? '';
    if (char === '"' || char === "'") {
      at = path.indexOf(char, at + 1);
      if (at < 0) return `the quote ${char} is not closed`;
    } else if (closing[char] !== undefined) open.push(closing[char]);
    else if ((char === ')' || char === ']') && open.pop() !== char) return `"${char}" closes nothing`;
  }
  return open.length === 0 ? undefined : `"${open.at(-1)}" is missing`;
}
