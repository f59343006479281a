/** Words of a script with their counterparts in scripts of Postman. */
type Words = readonly (readonly [word: RegExp, counterpart: string])[];

const ofBruno: Words = [
  // A whole body that is compared with a text in quotes is no JSON.
  [
    /\bres\.(?:getBody\(\)|body)(?=\)\.to\.(?:not\.)?(?:be\.|deep\.)*(?:equals?|eql|contain|include)\(\s*$)/g,
    'pm.response.text()',
  ],
  [/\bres\.(?:getStatus\(\)|status\b)/g, 'pm.response.code'],
  [/\bres\.(?:getResponseTime\(\)|responseTime\b)/g, 'pm.response.responseTime'],
  [/\bres\.(?:getBody\(\)|body\b)/g, 'pm.response.json()'],
  [/\bres\.getHeader\(/g, 'pm.response.headers.get('],
  [/\bbru\.set(?:Env|CollectionEnv|GlobalEnv)?Var\(/g, 'pm.variables.set('],
  [/^expect\(/g, 'pm.expect('],
];

const ofHttpFiles: Words = [
  [/\bresponse\.status\b/g, 'pm.response.code'],
  [/\bresponse\.headers\.valueOf\(/g, 'pm.response.headers.get('],
  [/\bresponse\.body\b/g, 'pm.response.json()'],
  [/\bclient\.global\.set\(/g, 'pm.globals.set('],
];

const chained: Readonly<Record<string, string>> = {
  '==': 'equal',
  '===': 'equal',
  '>': 'above',
  '<': 'below',
  '>=': 'least',
  '<=': 'most',
};

/** A line of a script of Bruno as Postman writes it. */
export function fromBruno(line: string): string {
  return translated(line, ofBruno);
}

/** A line of a script behind a request of a `.http` file as Postman writes it. */
export function fromHttpFile(line: string): string {
  const said = /^client\.assert\((.+?)(===?|>=?|<=?)(.+?)(?:,\s*["'`].*)?\);?$/.exec(line);
  const verb = chained[said?.[2] ?? ''];
  return translated(
    said && verb !== undefined ? `pm.expect(${said[1]?.trim()}).to.be.${verb}(${said[3]?.trim()})` : line,
    ofHttpFiles,
  );
}

/** Texts in quotes stay as they are. */
function translated(line: string, words: Words): string {
  return line
    .split(/("[^"]*"|'[^']*'|`[^`]*`)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : words.reduce((text, [word, counterpart]) => text.replace(word, counterpart), piece),
    )
    .join('');
}
