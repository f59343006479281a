import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { words } from './workflow-step.ts';

/** A command of svc that does what a module of Ansible does; none where no step is needed for it. */
export interface ModuleMeant {
  readonly command?: string;
  /** Undefined where not every parameter of the module has a counterpart. */
  readonly parameters?: JsonObject | undefined;
  /** Condition for what the module judges itself. */
  readonly expect?: string;
}

/** Collections that stand before the name of a module: `ansible.builtin.copy`. */
const COLLECTION = /^(?:ansible|community)\.\w+\./;

/** Counterpart of a module with its parameters, which may stand as text: `src=a.txt dest=b.txt`. */
export function moduleMeant(key: string, written: Json): ModuleMeant | undefined {
  const name = key.replace(COLLECTION, '');
  if (!Object.hasOwn(MODULES, name)) return undefined;
  const given = typeof written === 'string' ? fromText(written) : written;
  return isObject(given) ? MODULES[name]?.(given) : undefined;
}

/** Counterparts by the name of the module; undefined where the parameters are none of the module. */
const MODULES: Readonly<Record<string, (given: JsonObject) => ModuleMeant | undefined>> = {
  command: commandLine,
  copy,
  debug: (given) => ('msg' in given || 'var' in given ? {} : undefined),
  file,
  get_url: (given) =>
    'url' in given && 'dest' in given
      ? { command: 'FA_download_file', parameters: renamed(given, { url: 'url', dest: 'target' }) }
      : undefined,
  set_fact: (given) => {
    const [[name, value] = ['', null], another] = Object.entries(given);
    return { command: 'AT_set_variable', parameters: another === undefined ? { name, value } : undefined };
  },
  shell: commandLine,
  template: (given) => ('src' in given && 'dest' in given ? { command: 'FA_template_render_file' } : undefined),
  uri,
  // The step behind it tries again until what it needs is there.
  wait_for: (given) => ('port' in given || 'path' in given || 'host' in given ? {} : undefined),
};

function copy(given: JsonObject): ModuleMeant | undefined {
  if (!('dest' in given)) return undefined;
  return 'content' in given
    ? { command: 'FA_create_file', parameters: renamed(given, { content: 'content', dest: 'file_path' }) }
    : { command: 'FA_copy_file', parameters: renamed(given, { src: 'source', dest: 'target' }) };
}

function file({ state, ...given }: JsonObject): ModuleMeant | undefined {
  if (!('path' in given)) return undefined;
  if (state === 'directory') return { command: 'FA_create_dir', parameters: renamed(given, { path: 'dir_path' }) };
  if (state === 'touch') return { command: 'FA_create_file', parameters: renamed(given, { path: 'file_path' }) };
  // The path to remove may be that of a file or of a folder.
  return state === 'absent' ? { command: 'FA_remove_file" or "FA_remove_dir_tree' } : undefined;
}

function uri({ method = 'GET', status_code, return_content: _, ...given }: JsonObject): ModuleMeant | undefined {
  if (!('url' in given)) return undefined;
  const { body_format, ...others } = given;
  const body = body_format === 'json' ? 'json' : 'data';
  const names = { url: 'test_url', headers: 'headers', timeout: 'timeout', validate_certs: 'verify', body };
  const rest = renamed(others, names);
  const isKnown = typeof method === 'string' && (status_code === undefined || typeof status_code === 'number');
  return {
    command: 'AT_test_api_method',
    parameters: isKnown && rest !== undefined ? { http_method: method.toLowerCase(), ...rest } : undefined,
    expect: `result.status_code == ${typeof status_code === 'number' ? status_code : 200}`,
  };
}

function commandLine(given: JsonObject): ModuleMeant | undefined {
  const { cmd, argv, ...rest } = given;
  const others = renamed(rest, { chdir: 'cwd', stdin: 'input' });
  const command = argv ?? (typeof cmd === 'string' ? words(cmd, 'bash') : undefined);
  if (command === undefined) return undefined;
  return { command: 'FA_run_shell', parameters: others && { command, ...others } };
}

/** Parameters under our names; undefined where one has none. */
function renamed(given: JsonObject, names: Readonly<Record<string, string>>): JsonObject | undefined {
  const entries = Object.entries(given);
  if (entries.some(([key]) => !Object.hasOwn(names, key))) return undefined;
  return Object.fromEntries(entries.map(([key, value]) => [names[key] ?? '', value]));
}

/** `src=a.txt dest="b c.txt"` */
function fromText(text: string): JsonObject | undefined {
  const pairs = [...text.matchAll(/(?:^|\s)(\w+)=("[^"]*"|'[^']*'|\S+)/g)];
  if (
    pairs.length === 0 ||
    pairs
      .map(([whole]) => whole)
      .join('')
      .trim() !== text.trim()
  )
    return undefined;
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value.replace(/^(["'])(.*)\1$/, '$2')]));
}
