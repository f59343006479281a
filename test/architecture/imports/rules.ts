/**
 * A rule about imports (the first row whose `from` is a prefix of the file's path holds). `*` in `from` stands
 * for one folder name, `<own>` for the first of those. A path that ends in `/.` means the files of that folder
 * itself, not those below. Type-only imports count.
 */
export interface Rule {
  readonly from: string;
  /** Prefixes of paths. A file may always import from the folder that the row names. */
  readonly may: readonly string[];
  /** Modules of Node: all, or these. */
  readonly builtins: 'all' | readonly string[];
  /** Whether npm packages may be imported at all; `packages.ts` says which folder owns which. */
  readonly packages: boolean;
}

const commandsMay = ['runtime/kernel/', 'grammar/', 'schemas/', 'stdlib/command.ts', 'stdlib/http/', 'stdlib/lists/'];
const compilerMay = [
  'grammar/',
  'schemas/',
  'compiler/context.ts',
  'compiler/reader.ts',
  'compiler/catalogue.ts',
  'compiler/did-you-mean.ts',
  'compiler/graph/',
];
const phase = (name: string, earlier: readonly string[]): Rule => ({
  from: `compiler/phases/${name}/`,
  may: [...compilerMay, ...earlier.map((other) => `compiler/phases/${other}/`)],
  builtins: ['path'],
  packages: name === '7-emit',
});
/**
 * Doors through which users reach the engine: each a thin translation of its own protocol. None imports
 * another, nobody imports them.
 */
export const doors = ['compiler/cli/', 'compiler/library/', 'compiler/lsp/', 'compiler/debug/'];
const phases = ['1-read', '2-migrate', '3-parse', '4-resolve', '5-check', '6-plan', '7-emit', 'lint'];

export const rules: readonly Rule[] = [
  // What is generated joins declarations with modules of all folders; `generated.ts` says who may import it.
  {
    from: 'schemas/generated/',
    may: ['schemas/', 'compiler/phases/', 'compiler/cli/', 'stdlib/', 'runtime/'],
    builtins: [],
    packages: false,
  },
  { from: 'schemas/', may: ['schemas/'], builtins: [], packages: false },
  { from: 'grammar/', may: ['schemas/'], builtins: [], packages: true },

  { from: 'compiler/generate/', may: ['grammar/', 'schemas/'], builtins: 'all', packages: true },
  // The one place where compiler, registry, kernel and host are put together.
  {
    from: 'compiler/engine/',
    may: ['schemas/', 'grammar/', 'compiler/', 'runtime/', 'stdlib/', 'package.json'],
    builtins: 'all',
    packages: true,
  },
  ...doors.map((from): Rule => ({
    from,
    // The library binds functions of families, which commands share; the others ask the engine.
    may: [
      'schemas/',
      'grammar/',
      'compiler/',
      'runtime/',
      ...(from === 'compiler/library/' ? ['stdlib/files/', 'stdlib/api/', 'stdlib/http/'] : []),
    ],
    builtins: 'all',
    packages: true,
  })),
  ...phases.map((name, index) => phase(name, phases.slice(0, index))),
  { from: 'compiler/graph/', may: ['grammar/', 'schemas/'], builtins: [], packages: true },
  {
    from: 'compiler/report/',
    may: ['grammar/', 'schemas/', 'compiler/context.ts'],
    builtins: ['util', 'crypto'],
    packages: false,
  },
  { from: 'compiler/', may: ['grammar/', 'schemas/'], builtins: ['path'], packages: false },

  { from: 'runtime/kernel/', may: ['schemas/'], builtins: [], packages: false },
  {
    from: 'runtime/reporters/',
    may: ['runtime/kernel/', 'schemas/', 'grammar/source/', 'grammar/markup/'],
    builtins: [],
    packages: true,
  },
  { from: 'runtime/hosts/', may: ['runtime/kernel/', 'schemas/', 'grammar/'], builtins: 'all', packages: false },
  // It tells what was recorded to the reporters of the command line, so that there is one page, not two.
  {
    from: 'runtime/services/step-record/',
    may: ['runtime/kernel/', 'runtime/reporters/', 'schemas/', 'grammar/'],
    builtins: [],
    packages: false,
  },
  { from: 'runtime/services/', may: ['runtime/kernel/', 'schemas/', 'grammar/'], builtins: 'all', packages: false },
  {
    from: 'runtime/servers/',
    may: ['runtime/kernel/', 'runtime/services/', 'schemas/', 'grammar/'],
    builtins: 'all',
    packages: true,
  },
  { from: 'runtime/adapters/*/', may: ['runtime/kernel/', 'schemas/', 'grammar/'], builtins: 'all', packages: true },
  {
    from: 'runtime/program',
    may: ['runtime/kernel/', 'runtime/hosts/', 'runtime/reporters/', 'schemas/'],
    builtins: ['fs', 'path', 'process', 'url'],
    packages: false,
  },

  ...['browser', 'api', 'files'].flatMap((domain): Rule[] => [
    ...['engines', 'clients', 'backends', 'mock'].map((name): Rule => ({
      from: `stdlib/${domain}/${name}/`,
      may: [...commandsMay, `stdlib/${domain}/`],
      builtins: 'all',
      packages: true,
    })),
    {
      from: `stdlib/${domain}/*/*/`,
      may: [
        ...commandsMay,
        `stdlib/${domain}/.`,
        `stdlib/${domain}/<own>/`,
        `stdlib/${domain}/engines/`,
        `stdlib/${domain}/clients/`,
        `stdlib/${domain}/backends/`,
        `stdlib/${domain}/mock/`,
      ],
      builtins: ['path', 'util'],
      packages: false,
    },
    {
      from: `stdlib/${domain}/*/`,
      may: [
        ...commandsMay,
        `stdlib/${domain}/.`,
        `stdlib/${domain}/engines/`,
        `stdlib/${domain}/clients/`,
        `stdlib/${domain}/backends/`,
      ],
      builtins: ['path', 'util'],
      packages: false,
    },
    { from: `stdlib/${domain}/`, may: commandsMay, builtins: ['path', 'util'], packages: false },
  ]),
  // What families of several domains share: no commands, so no domain.
  ...['http', 'lists'].map((name): Rule => ({
    from: `stdlib/${name}/`,
    may: ['runtime/kernel/', 'grammar/', 'schemas/'],
    builtins: [],
    packages: false,
  })),
  { from: 'stdlib/', may: ['runtime/kernel/', 'grammar/', 'schemas/'], builtins: [], packages: false },

  {
    from: 'test/',
    may: ['schemas/', 'grammar/', 'compiler/', 'runtime/', 'stdlib/', 'test/', '.ci/', 'package.json'],
    builtins: 'all',
    packages: true,
  },
  { from: '.ci/', may: ['compiler/', 'schemas/', '.ci/'], builtins: 'all', packages: true },
  { from: 'examples/', may: [], builtins: 'all', packages: false },
];

/**
 * Modules that only some may import: generated ones that reach far, where everything is put together; arguments and the
 * terminal of a command line, where they are translated.
 */
export const modulesOfFew: Readonly<Record<string, readonly string[]>> = {
  'schemas/generated/registry.ts': ['compiler/engine/', '.ci/', 'test/'],
  'schemas/generated/ports.ts': ['compiler/engine/', '.ci/', 'test/'],
  'schemas/generated/cli.ts': ['compiler/cli/', 'test/'],
  'schemas/types/cli.ts': ['compiler/cli/', 'compiler/generate/scans/', 'schemas/', 'test/'],
  'schemas/generated/all-rules.ts': ['compiler/phases/lint/', 'test/'],
  'schemas/generated/migrations.ts': ['compiler/phases/2-migrate/', 'test/'],
};
