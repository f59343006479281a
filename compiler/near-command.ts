import { didYouMean } from './did-you-mean.ts';

/** Words that users write for one another in names of commands; the first stands for all of a line. */
const alike = [
  'remove delete del rm erase unlink',
  'dir folder directory',
  'copy cp duplicate',
  'rename move mv',
  'create make new write touch save',
  'read load cat get fetch',
  'list ls',
  'checksum hash digest sha256 md5',
  'find search locate query discover',
  'extract unpack untar',
  'fill input type enter',
  'click tap',
  'element selector',
  'assert check verify expect',
  'screenshot picture',
  'script js javascript',
  'wait sleep delay',
  'quit close stop end',
  'start launch begin',
  'objstore s3',
  'blobstore azure',
  'drive gdrive',
  'drive2 onedrive',
  'drive3 box',
  'filesync dropbox',
];

const meaning: ReadonlyMap<string, string> = new Map(
  alike.flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return others.map((other) => [other, first] as const);
  }),
);

/** Words that say what becomes of a thing: a name of one kind means no command of another. */
const deeds: readonly (readonly string[])[] = [
  ['read', 'get', 'list', 'find', 'check', 'is', 'exists'],
  ['create', 'set', 'add', 'append'],
  ['remove', 'clear', 'unregister', 'empty', 'purge'],
];

function deedOf(words: readonly string[]): readonly string[] | undefined {
  return deeds.find((deed) => words.some((word) => deed.includes(word)));
}

/** `page.goto` and `cy.visit` are commands of a browser; keywords of Robot Framework have blanks. */
function inOurForm(written: string): string {
  const [, method] = /^(?:page|cy|browser|driver)\.([A-Za-z]+)(?:\(\))?$/.exec(written) ?? [];
  if (method === undefined) return written.replaceAll(/ +/g, '_');
  return `WR_pw_${method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}

/** Names of which users think first, and commands that they mean; none where nothing but an option does that. */
const guesses: readonly (readonly [name: RegExp, commands: readonly string[]])[] = [
  [/^AT_(?:assert|expect|assert_equals?|assert_status|assert_that|should|status)$/i, []],
  [/^AT_(?:set|let|assign|def|define|set_?facts?|set_?var(?:iable)?|var(?:iable)?)$/i, ['AT_set_variable']],
  [/^FA(?:_(?:read|load|cat|get|open|file|text|txt|contents?))+$/i, ['FA_json_get', 'FA_yaml_get', 'FA_csv_read']],
  [/^FA_(?:mkdir|makedirs|md)$/i, ['FA_create_dir']],
  [/^FA_(?:exec|execute|cmd|command|bash|sh|run|process|program|subprocess|system)$/i, ['FA_run_shell']],
  [/^FA(?:_(?:file|dir|path|folder|exists|exist|is|if))+$/i, ['FA_if_exists', 'FA_fs_exists']],
  [/^FA_send_e?mail$/i, ['FA_notify_send']],
  [/^(?:WR|AT|FA)_(?:log|print|debug|echo|log_to_console)$/i, []],
  [
    /^WR(?:_pw)?(?:_(?:element|get|read|assert|check|verify|expect|inner|text|content))*_text$/i,
    ['WR_pw_element_inner_text'],
  ],
  [/^WR_pw(?:_(?:open|start|launch|new|create|begin|browser|session|chromium|firefox|webkit))+$/i, ['WR_pw_launch']],
  [
    /^WR_(?:pw_)?wait_(?:until|for)(?:_(?!page|load|url)\w+)?_(?:visible|present|element|selector|contains)$/i,
    ['WR_pw_wait_for_selector', 'WR_explicit_wait'],
  ],
  [/^WR_(?:close|quit|end|stop)_(?:all_)?browsers?$/i, ['WR_quit', 'WR_pw_quit']],
  [/^WR_pw_(?:locator|get_by(?:_\w+)?|query_selector|find)$/i, ['WR_pw_find_element']],
  [
    /^AT(?:_(?:https?|api|rest|get|post|put|patch|delete|head|options|request|send|call|fetch))+$/i,
    ['AT_test_api_method'],
  ],
  [
    /^WR(?:_(?:open|start|launch|new|create|begin|browser|session|driver|chrome|chromium|firefox))+$/i,
    ['WR_new_driver', 'WR_pw_launch'],
  ],
  [/^WR(?:_(?:open|goto|go|to|navigate|visit|load|get|url|page|address))+$/i, ['WR_to_url', 'WR_pw_to_url']],
  [/^WR_pw(?:_(?:open|goto|go|to|navigate|visit|load|get|url|page|address))+$/i, ['WR_pw_to_url']],
];

/**
 * Commands that a name which is none may have meant, at most three: of the same domain those whose names say the
 * same in other words or another order; else those a slip of the pen away; else those that say most of it; else those
 * that look like it.
 */
export function nearCommands(written: string, commands: readonly string[]): readonly string[] {
  if (written.length > 200) return [];
  const name = inOurForm(written);
  if (!/^(?:WR|AT|FA)_/i.test(name)) return ofAnyDomain(name, commands);
  const domain = name.slice(0, 3).toUpperCase();
  const words = new Vocabulary(commands.filter((command) => command.startsWith(domain)));
  const same = firstOf([() => words.nearest(name, 1), () => didYouMean(name, commands, 1)]);
  const guess = same.length > 0 ? undefined : guesses.find(([form]) => form.test(name))?.[1];
  if (guess !== undefined || same.length > 0) return guess ?? same;
  return firstOf([
    () => words.nearest(name, 0.6),
    () => didYouMean(name, commands, 2),
    () => words.nearest(name, 0.45),
    () => didYouMean(name, commands),
  ]);
}

function firstOf(looks: readonly (() => readonly string[])[]): readonly string[] {
  for (const look of looks) {
    const found = look();
    if (found.length > 0) return found;
  }
  return [];
}

/** Commands that a name without a domain says whole, such as `click`; else those that look like it. */
function ofAnyDomain(name: string, commands: readonly string[]): readonly string[] {
  const found = ['WR_', 'AT_', 'FA_'].flatMap((domain) => {
    const words = new Vocabulary(commands.filter((command) => command.startsWith(domain)));
    const same = words.nearest(domain + name, 1);
    return same.length > 0 ? same : (guesses.find(([form]) => form.test(domain + name))?.[1] ?? []);
  });
  return found.length > 0 ? found.slice(0, 3) : didYouMean(name, commands);
}

/** Weight of a word that no command has. */
const UNKNOWN = 0.3;

/** Weight of commands that do something else with the thing that is named. */
const OTHER_DEED = 0.6;

/** Words of the commands of one domain. A word that many of them have tells little of each. */
class Vocabulary {
  readonly #commands: readonly (readonly [command: string, words: readonly string[]])[];
  readonly #counts = new Map<string, number>();

  constructor(commands: readonly string[]) {
    this.#commands = commands.map((command) => [command, wordsOf(command)]);
    for (const [, words] of this.#commands)
      for (const word of new Set(words)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** At most three commands that are most like a name, best first: 0 is nothing shared, 1 the same words. */
  nearest(name: string, least: number): readonly string[] {
    const wanted = wordsOf(name);
    const scored = this.#commands
      .map(([command, words]) => ({ command, score: this.#likeness(wanted, words) }))
      .filter(({ score }) => score >= least)
      .sort((one, other) => other.score - one.score || (one.command < other.command ? -1 : 1));
    const best = scored[0]?.score ?? 0;
    return scored
      .filter(({ score }) => score > best - 0.1)
      .slice(0, 3)
      .map(({ command }) => command);
  }

  /** Mostly the share of what was wanted, then that of what there is. */
  #likeness(wanted: readonly string[], words: readonly string[]): number {
    const shared = this.#weight(wanted.filter((word) => words.includes(word)));
    if (shared === 0) return 0;
    const [deed, other] = [deedOf(wanted), deedOf(words)];
    const isOther = deed !== undefined && other !== undefined && deed !== other;
    return (isOther ? OTHER_DEED : 1) * this.#share(shared, wanted, words);
  }

  #share(shared: number, wanted: readonly string[], words: readonly string[]): number {
    return 0.7 * (shared / this.#weight(wanted)) + 0.3 * (shared / this.#weight(words));
  }

  #weight(words: readonly string[]): number {
    return words.reduce(
      (sum, word) => sum + (this.#counts.has(word) ? (this.#counts.get(word) ?? 1) ** -0.5 : UNKNOWN),
      0,
    );
  }
}

/** Words behind the domain, the second engine's mark left out; those that mean the same are the same. */
function wordsOf(command: string): readonly string[] {
  return command
    .slice(3)
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '' && word !== 'pw')
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .map((word) => meaning.get(word) ?? word);
}
