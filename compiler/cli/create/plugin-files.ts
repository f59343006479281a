/**
 * Files that `svc create --plugin` puts into a new folder: a package whose functions are commands where it is
 * installed.
 */
export function pluginFiles(name: string): Readonly<Record<string, string>> {
  const prefix = name.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
  const manifest = {
    name,
    version: '0.1.0',
    description: 'Commands for svc.',
    type: 'module',
    files: ['actions.js'],
    svc: {
      actions: './actions.js#register',
      commands: {
        [`${prefix}_greet`]: {
          params: { name: { schema: { type: 'string', minLength: 1 }, about: 'Name of whom to greet.' } },
          required: ['name'],
        },
      },
    },
  };
  return {
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
    'actions.js': `/** Gives the commands of this package, by name. It is called once, and has ten seconds. */
export function register() {
  return {
    ${prefix}_greet: {
      summary: 'Greet somebody.',
      returns: { type: 'string' },
      effects: ['pure'],
      run: ({ name }) => \`Hello \${name}\`,
    },
  };
}
`,
    'README.md': `# ${name}

Commands for svc. \`npm pack\` makes the file to publish. Where the package is installed, \`FA_plugin_list\` shows its commands, and
action files that say \`meta: { modules: [${name}] }\` call them. \`svc.commands\` in \`package.json\` lists them all with
their parameters: files are checked by it before anything of the package runs.
`,
  };
}
