// WebKit and Chromium, each by the driver program that comes with it.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from '../../support/config-file.js';
import { startChild, type Child } from './child.js';
import { commands, type Driver, type DriverOptions } from './driver.js';
import { findFreePort } from './free-port.js';

interface Answer {
  readonly value: unknown;
}

const ask = async (
  address: string,
  method: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const response = await fetch(address, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  // Both drivers are programs of the system: their answers have the standard's shape.
  const { value } = (await response.json()) as Answer;
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message.slice(0, 500)}`);
};

const untilItAnswers = async (address: string): Promise<void> => {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await ask(`${address}/status`, 'GET');
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

const startSession = async (
  driver: Child,
  port: number,
  alwaysMatch: Readonly<Record<string, unknown>>,
  stop: () => Promise<void>,
): Promise<Driver> => {
  const address = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([untilItAnswers(address), driver.ended]);
    const session = ask(`${address}/session`, 'POST', { capabilities: { alwaysMatch } });
    // The answer to a new session, as the standard has it.
    const { sessionId, capabilities } = (await Promise.race([session, driver.ended])) as {
      sessionId: string;
      capabilities: { browserName: string; browserVersion: string };
    };
    return {
      name: `${capabilities.browserName} ${capabilities.browserVersion}`,
      send: (command, parameters = {}) => {
        const [method, path] = commands[command];
        const { id } = parameters;
        const place = path.replace('{id}', typeof id === 'string' ? id : '');
        return ask(
          `${address}/session/${sessionId}/${place}`,
          method,
          method === 'GET' ? undefined : parameters,
        );
      },
      close: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const toProxy = (proxy: string | undefined): object =>
  proxy === undefined ? {} : { proxy: { proxyType: 'manual', httpProxy: proxy, sslProxy: proxy } };

const findMiniBrowser = (): string => {
  const libraries = existsSync('/usr/lib') ? readdirSync('/usr/lib') : [];
  const found = libraries
    .flatMap((folder) =>
      ['4.1', '6.0'].map((version) => join('/usr/lib', folder, `webkit2gtk-${version}`, 'MiniBrowser')),
    )
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error('WebKit has no MiniBrowser here: install webkit2gtk-driver.');
  return found;
};

/** Starts WebKitGTK's own small browser on a display of its own. */
export const startWebKit = async ({ proxy, env, within }: DriverOptions = {}): Promise<Driver> => {
  const home = createTempFolder();
  const port = await findFreePort();
  const driver = startChild(
    'xvfb-run',
    ['-a', '-s', '-screen 0 1280x900x24', 'WebKitWebDriver', `--port=${port}`],
    {
      env: {
        HOME: home.path,
        XDG_RUNTIME_DIR: home.path,
        // As root it cannot make a sandbox of its own; and no card draws here.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
        NO_AT_BRIDGE: '1',
        ...env,
      },
      within,
    },
  );
  const stop = async (): Promise<void> => {
    await driver.stop();
    home.remove();
  };
  const capabilities = {
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
    ...toProxy(proxy),
  };
  return startSession(driver, port, capabilities, stop);
};

/** Starts a Chromium by its driver; the control for what the other two do. */
export const startChromium = async ({ proxy, env, within }: DriverOptions = {}): Promise<Driver> => {
  const home = createTempFolder();
  const port = await findFreePort();
  const driver = startChild('chromedriver', [`--port=${port}`], {
    env: { HOME: home.path, ...env },
    within,
  });
  const stop = async (): Promise<void> => {
    await driver.stop();
    home.remove();
  };
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    `--user-data-dir=${join(home.path, 'profile')}`,
    // Otherwise addresses of this machine pass by the proxy.
    ...(proxy === undefined ? [] : ['--proxy-bypass-list=<-loopback>']),
  ];
  const binary = process.env['CASEMENT_CHROMIUM'] ?? '/usr/bin/chromium';
  const capabilities = { browserName: 'chrome', 'goog:chromeOptions': { binary, args }, ...toProxy(proxy) };
  return startSession(driver, port, capabilities, stop);
};
