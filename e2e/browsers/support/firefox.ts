// Firefox without a driver program: its own Marionette port speaks the commands of WebDriver, each message as
// "length:[type, id, name, parameters]". Debian has no geckodriver, which is nothing but a translator to this.
import { connect, type Socket } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempFolder } from '../../support/config-file.js';
import { startChild } from './child.js';
import type { Driver, DriverOptions } from './driver.js';
import { findFreePort } from './free-port.js';

const preferences = (port: number, proxy: string | undefined): Record<string, unknown> => {
  const [host, proxyPort] = proxy?.split(':') ?? [];
  return {
    'marionette.port': port,
    // What the browser asks of the network for itself is none of the tests' business.
    'app.update.enabled': false,
    'browser.safebrowsing.malware.enabled': false,
    'browser.safebrowsing.phishing.enabled': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'toolkit.telemetry.unified': false,
    ...(proxy === undefined
      ? {}
      : {
          'network.proxy.type': 1,
          'network.proxy.http': host,
          'network.proxy.http_port': Number(proxyPort),
          'network.proxy.ssl': host,
          'network.proxy.ssl_port': Number(proxyPort),
          'network.proxy.no_proxies_on': '',
          'network.proxy.allow_hijacking_localhost': true,
        }),
  };
};

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });

const openInTime = async (port: number): Promise<Socket> => {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await open(port);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

/** Asks and answers over one socket. */
const createLine = (socket: Socket) => {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let rest = Buffer.alloc(0);
  const end = (): void => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the line.'));
    waiting.clear();
  };
  socket.on('close', end);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const colon = rest.indexOf(':');
      const length = Number(rest.subarray(0, colon).toString());
      if (colon < 0 || rest.length < colon + 1 + length) return;
      const message: unknown = JSON.parse(rest.subarray(colon + 1, colon + 1 + length).toString());
      rest = rest.subarray(colon + 1 + length);
      // The greeting is no list.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(new Error(`${error.error}: ${error.message}`));
      else asked?.resolve(result);
    }
  });
  return (name: string, parameters: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      const text = JSON.stringify([0, last, name, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
};

/** Starts a Firefox with a new profile. */
export const startFirefox = async ({ proxy, env, within }: DriverOptions = {}): Promise<Driver> => {
  const port = await findFreePort();
  const profile = createTempFolder();
  const lines = Object.entries(preferences(port, proxy)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile.path, 'user.js'), lines.join(''));
  const child = startChild(
    process.env['CASEMENT_FIREFOX'] ?? 'firefox-esr',
    ['--marionette', '--headless', '--no-remote', '--profile', profile.path],
    // Its home is the profile's, so that it shares nothing with a Firefox of the person who runs this.
    { env: { HOME: profile.path, MOZ_CRASHREPORTER_DISABLE: '1', ...env }, within },
  );
  const stop = async (): Promise<void> => {
    await child.stop();
    profile.remove();
  };
  try {
    const socket = await Promise.race([openInTime(port), child.ended]);
    const ask = createLine(socket);
    // The answer to a new session tells the browser's version.
    const { capabilities } = (await ask('WebDriver:NewSession', {})) as {
      capabilities: { browserVersion: string };
    };
    return {
      name: `Firefox ${capabilities.browserVersion}`,
      send: async (command, parameters = {}) => {
        // It names the element of a frame otherwise than the standard does.
        const given = command === 'SwitchToFrame' ? toFrame(parameters['id']) : parameters;
        const answer = (await ask(`WebDriver:${command}`, given)) as { value?: unknown } | null;
        return answer?.value;
      },
      close: async () => {
        socket.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const toFrame = (id: unknown): object => {
  if (typeof id !== 'object' || id === null) return { id };
  return { element: Object.values(id)[0] };
};
