import { describeInChromium } from '../../fixtures/chromium.ts';
import { examplesOf, runExamples } from './run-examples.ts';

const families = [
  'pw-session',
  'pw-navigation',
  'pw-page-action',
  'pw-find',
  'pw-element',
  'pw-waits',
  'pw-screenshot',
  'pw-script',
  'pw-storage',
  'pw-cookies',
  'pw-service-worker',
  'pw-throttle',
  'pw-frames',
  'pw-pages',
  'pw-events',
  'pw-files',
  'pw-cdp',
  'pw-input',
  'pw-emulation',
  'pw-permissions',
  'pw-clock',
  'pw-route',
  'pw-har',
  'pw-healing',
  'pw-perf',
  'pw-a11y',
].map((name) => `playwright/${name}`);
const examples = (await Promise.all(families.map(examplesOf))).flat();

describeInChromium('examples of second engine commands', () => runExamples(families, examples));
