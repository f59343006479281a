import fc from 'fast-check';

/** Texts that terminals, build servers and readers of reports obey. */
export const commands: readonly string[] = [
  '\u001b[2J',
  '\u001b[31m',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.example\u001b\\',
  '\u009b31m',
  '\u009d0;t\u009c',
  '\u0007',
  '\b\b\b',
  '\r',
  '\u000b',
  '\f',
  '\u0085',
  '\u007f',
  '\u0000',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u061c',
  '\u2028',
  '\u2029',
  '\u206a',
  '\t',
  '\n::error file=a::FORGED',
  '\n  ::add-mask::FORGED',
  '\r\n::set-output name=a::FORGED',
  '::stop-commands::FORGED',
  '##[error]FORGED',
  '##vso[task.complete result=Failed;]FORGED',
  "##teamcity[message text='FORGED']",
  '\nok 99 - FORGED',
  '\nnot ok 99 - FORGED',
  '\n1..0',
  '\nBail out! FORGED',
  ' # SKIP FORGED',
  ' # TODO FORGED',
  '\n  ...\nok 98 - FORGED',
  '</failure></testcase><testcase name="FORGED"/>',
  ']]>',
  '<!--',
  '"><script>FORGED</script>',
  '&lt;',
  '"/><failure message="FORGED"',
  '\n  ✓ FORGED',
  '\nerror[SVC99999]: FORGED',
  '\n0 failed',
];

/** Texts that hold some of them. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...commands),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('a', 'name', ' '),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** All of them in one text. */
export const everyCommand: string = commands.map((command, index) => `${index}${command}`).join(' ');

/** Control characters and direction marks that a text holds, with what stands around them. Line feeds are ours. */
export function forbidden(text: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  const found = text.matchAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g);
  return Array.from(found, ({ index }) => JSON.stringify(text.slice(Math.max(0, index - 40), index + 10)));
}

/** Lines that a build server takes for a command. */
export function forgedCommands(text: string): readonly string[] {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .filter((line) => /^\s*::/.test(line) || /##(?:\[|vso\[|teamcity\[)/.test(line));
}
