import { command } from '#stdlib/command.ts';

export const FA_tcp_server_start = command('FA_tcp_server_start', (params, { actionServer }) =>
  actionServer.start('tcp', params),
);

export const FA_http_server_start = command('FA_http_server_start', (params, { actionServer }) =>
  actionServer.start('http', params),
);

export const FA_metrics_server_start = command('FA_metrics_server_start', (params, { actionServer }) =>
  actionServer.start('metrics', params),
);

export const FA_dashboard_start = command('FA_dashboard_start', (params, { actionServer }) =>
  actionServer.start('dashboard', params),
);

export const FA_tcp_server_stop = command('FA_tcp_server_stop', ({ port }, { actionServer }) =>
  actionServer.stop('tcp', port),
);

export const FA_http_server_stop = command('FA_http_server_stop', ({ port }, { actionServer }) =>
  actionServer.stop('http', port),
);

export const FA_metrics_server_stop = command('FA_metrics_server_stop', ({ port }, { actionServer }) =>
  actionServer.stop('metrics', port),
);

export const FA_dashboard_stop = command('FA_dashboard_stop', ({ port }, { actionServer }) =>
  actionServer.stop('dashboard', port),
);

export const FA_server_list = command('FA_server_list', (_params, { actionServer }) => [...actionServer.list()]);

export const FA_mcp_list_tools = command('FA_mcp_list_tools', async ({ allowed_actions }, { actionServer }) => [
  ...(await actionServer.tools(allowed_actions)),
]);
