import type { Reporters } from './names.ts';

/** Reporters of the command line, which has all: each is loaded when it is asked for. */
export const reporters: Required<Reporters> = {
  human: async () => (await import('./human.ts')).human,
  json: async () => (await import('./json.ts')).json,
  junit: async () => (await import('./junit.ts')).junit,
  allure: async () => (await import('./allure/allure.ts')).allure,
  azure: async () => (await import('./azure.ts')).azure,
  ctrf: async () => (await import('./ctrf.ts')).ctrf,
  gitlab: async () => (await import('./gitlab.ts')).gitlab,
  markdown: async () => (await import('./markdown.ts')).markdown,
  tap: async () => (await import('./tap.ts')).tap,
  github: async () => (await import('./github.ts')).github,
  html: async () => (await import('./html/html.ts')).html,
};
