export * from './elsewhere.mjs';
