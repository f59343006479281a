import manifest from '../../package.json' with { type: 'json' };

/** This package's name and version; the bundler puts them here as text. */
export const PACKAGE: string = manifest.name;
export const version: string = manifest.version;
