import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bigText, textBytes, textSize } from '../big-files.ts';
import type { Figure } from '../figure.ts';
import { floor, nothing, svc } from '../paths.ts';
import { startServer } from '../start-server.ts';

type Way = 'up' | 'down';

function action(way: Way, url: string): unknown {
  if (way === 'down') return ['FA_download_file', { url, target: 'got.txt', max_bytes: textBytes }];
  const body = { http_method: 'post', test_url: url, body_file: 'big.txt', timeout: 600 };
  return ['AT_test_api_method', { ...body, result_check_dict: { status_code: 200 } }];
}

function transfer(name: string, way: Way): Figure {
  return {
    name: `${name} of ${textSize} over HTTP`,
    beside: 'bare undici',
    aim: 1.1,
    memoryAim: 1.1,
    runs: 5,
    async prepare(folder) {
      const server = await startServer();
      const url = `${server.url}/${way === 'up' ? 'sink' : `bytes/${textBytes}`}`;
      if (way === 'up') bigText(join(folder, 'big.txt'));
      writeFileSync(join(folder, 'one.json'), JSON.stringify({ actions: [action(way, url)] }));
      writeFileSync(join(folder, 'none.json'), JSON.stringify({ actions: [['AT_set_variable', ['a', 1]]] }));
      const run = (file: string): readonly string[] => [svc, 'run', join(folder, file), '--allow', 'private'];
      const peer = [floor('body'), way, url, join(folder, way === 'up' ? 'big.txt' : 'peer.txt')];
      return {
        subject: { args: run('one.json'), cwd: folder },
        floor: { args: peer },
        without: { subject: { args: run('none.json'), cwd: folder }, floor: nothing },
        close: () => server.close(),
      };
    },
  };
}

export const figures: readonly Figure[] = [transfer('upload', 'up'), transfer('download', 'down')];
