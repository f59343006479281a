import type { JsonObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

export const FA_tracing_init = command('FA_tracing_init', ({ service_name, exporter, resource_attributes }, ctx) =>
  ctx.tracing.init({
    serviceName: service_name,
    exporter,
    resourceAttributes: (resource_attributes ?? {}) as JsonObject,
  }),
);

export const FA_tracing_shutdown = command('FA_tracing_shutdown', ({ timeout }, ctx) => ctx.tracing.shutdown(timeout));
