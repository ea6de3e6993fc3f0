import { evidenceScript } from '@casement/sandbox/evidence';
import { describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, variants, world } from './fixture.js';
import { mountApp, toGuest, waitFor, type Mounted } from './support.js';

useSandbox();

const inFull = { evidence: 'full', evidenceScript };

const itemsOf = async (app: Mounted, kind: string): Promise<Record<string, unknown>[]> =>
  (await app.sandboxMessages('evidence'))
    // As the message table describes them.
    .flatMap(({ items }) => items as Record<string, unknown>[])
    .filter((item) => item['kind'] === kind);

const loadsOf = async (app: Mounted): Promise<string[]> =>
  (await itemsOf(app, 'load-failed')).map(({ element, url, status }) =>
    [element, url, status].filter((part) => part !== undefined).join(' '),
  );

describe.each(Object.entries(variants))('an app %s', (_name, mount) => {
  test('tells of scripts, pictures and style sheets that did not come, without being asked', async () => {
    const gone = 'http://127.0.0.1:9';
    const csp = { resourceDomains: [gone] };
    const html = toGuest(`
      for (const [name, fields] of [['script', { src: '${gone}/lib.js' }], ['img', { src: '${gone}/picture.png' }],
        ['link', { rel: 'stylesheet', href: '${gone}/style.css' }]])
        document.body.append(Object.assign(document.createElement(name), fields));`);
    const app = await mount(html, {}, page, csp);
    await eventually(() => loadsOf(app)).toEqual(
      expect.arrayContaining([`script ${gone}/lib.js`, `img ${gone}/picture.png`, `link ${gone}/style.css`]),
    );
    expect(await app.sandboxMessages('script-error')).toEqual([]);
  });

  test('tells nothing of itself where nobody wants to know', async () => {
    const html = toGuest(`
      document.body.append(Object.assign(new Image(), { src: 'data:image/png,broken' }));
      Promise.reject(new Error('late'));
      document.body.append(Object.assign(new Image(), { src: 'https://undeclared.example/x.png' }));
      // Nor what it says in the form of its loader.
      for (const [name, params] of [['evidence', { items: [{ kind: 'painted', at: 1 }] }], ['script-error', { message: 'forged' }],
        ['violation', { directive: 'img-src', blockedUri: 'https://forged.example/' }]])
        send({ method: 'ui/notifications/sandbox-' + name, params });
      setTimeout(() => { setTimeout(() => say('after', true), 400); throw new Error('thrown'); });`);
    const app = await mount(html, { evidence: 'none' });
    await waitFor(app, 'after');
    for (const name of ['evidence', 'script-error', 'violation'])
      expect(await app.sandboxMessages(name), name).toEqual([]);
  });

  test('writes lines on its console, which are told with their places, in full alone', async () => {
    const script = `
      console.log('first', 7, null, undefined, true, 3n);
      console.warn({ name: 'a', list: [1, 2], get secret() { window.ran = true; return 1; } });
      console.error(new TypeError('wrong'), document.body, new Map([[1, 2]]));
      console.assert(1 === 1, 'never told');
      console.assert(false, 'told');
      say('ran-getter', 'ran' in window);`;
    const app = await mount(toGuest(script), inFull);
    await eventually(() => itemsOf(app, 'console')).toHaveLength(4);
    const [first, second, third, fourth] = await itemsOf(app, 'console');
    expect(first).toMatchObject({
      level: 'log',
      values: [
        { type: 'string', text: 'first' },
        { type: 'number', text: '7' },
        { type: 'null', text: 'null' },
        { type: 'undefined', text: 'undefined' },
        { type: 'boolean', text: 'true' },
        { type: 'bigint', text: '3' },
      ],
      line: expect.any(Number),
      column: expect.any(Number),
    });
    expect(second).toMatchObject({
      level: 'warn',
      values: [
        {
          type: 'object',
          text: 'Object',
          members: [
            ['name', { type: 'string', text: 'a' }],
            [
              'list',
              {
                type: 'array',
                text: 'Array(2)',
                members: [
                  ['0', { text: '1' }],
                  ['1', { text: '2' }],
                ],
              },
            ],
            ['secret', { type: 'getter' }],
          ],
        },
      ],
    });
    expect(third?.['values']).toMatchObject([
      { type: 'error', text: expect.stringContaining('TypeError: wrong') },
      { type: 'element', text: '<body>' },
      { type: 'object', text: 'Map(1)' },
    ]);
    expect(fourth).toMatchObject({ level: 'error', values: [{ text: 'told' }] });
    expect(await app.said('ran-getter')).toEqual([false]);
    const quiet = await mount(toGuest(script));
    await waitFor(quiet, 'ran');
    expect(await itemsOf(quiet, 'console')).toEqual([]);
  });

  test('says that it painted, how large its page is and whether anything is seen', async () => {
    const app = await mount(
      '<!doctype html><style>body{margin:0}</style><p style="width:3000px;height:40px;margin:0">wide</p><i></i>',
      inFull,
    );
    await eventually(() => itemsOf(app, 'painted')).toHaveLength(1);
    await eventually(async () => (await itemsOf(app, 'layout')).at(-1)).toMatchObject({
      contentWidth: 3000,
      contentHeight: 40,
      boxes: 1,
    });
    const blank = await mount('<!doctype html><div id="root"></div>', inFull);
    await eventually(async () => (await itemsOf(blank, 'layout')).at(-1)).toMatchObject({ boxes: 0 });
    expect(await itemsOf(blank, 'painted')).toEqual([]);
  });
});

test('a module whose import does not come names the import, and a style sheet its font', async () => {
  const gone = 'http://127.0.0.1:9';
  const html = `<!doctype html><style>@font-face { font-family: far; src: url(${gone}/far.woff2) }
    p { font-family: far }</style><p>text</p><script type="module">import '${gone}/module.js';</script>`;
  const app = await mountApp(page, world, html, { csp: { resourceDomains: [gone] } });
  await eventually(() => loadsOf(app)).toEqual(
    expect.arrayContaining([`script ${gone}/module.js`, `css ${gone}/far.woff2`]),
  );
});

test('the functions that depend on the host are told once each, with what came of them', async () => {
  const script = `
    localStorage.length; localStorage.length; sessionStorage.setItem('a', 'b'); document.cookie;
    alert('hello'); confirm('sure?'); prompt('name?'); print(); window.open('https://example.com/');
    navigator.clipboard?.writeText('x').catch(() => undefined);
    document.body.requestFullscreen().catch(() => undefined);
    navigator.geolocation.getCurrentPosition(() => undefined, () => undefined);
    navigator.serviceWorker?.register('/sw.js').catch(() => undefined);
    try { eval('1'); } catch {}`;
  const app = await mountApp(page, world, toGuest(script), {}, inFull);
  const told = async (): Promise<string[]> =>
    (await itemsOf(app, 'api')).map(({ api, outcome }) => `${String(api)} ${String(outcome)}`).sort();
  await eventually(told).toEqual(
    [
      'alert refused',
      'clipboard refused',
      'confirm refused',
      'cookie used',
      'eval refused',
      'fullscreen refused',
      'geolocation refused',
      'localStorage used',
      'open refused',
      'print refused',
      'prompt refused',
      'service-worker refused',
      'sessionStorage used',
    ].sort(),
  );
});

test('an error of a function that nobody caught is told as unguarded', async () => {
  const script = `setTimeout(() => localStorage.length); try { sessionStorage.length; } catch {}`;
  const app = await variants['opaque under a header']?.(toGuest(script), inFull);
  if (!app) throw new Error('no such variant');
  await eventually(async () =>
    (await itemsOf(app, 'api')).map(({ api, unguarded }) => [api, unguarded]),
  ).toEqual(
    expect.arrayContaining([
      ['localStorage', true],
      ['sessionStorage', undefined],
    ]),
  );
  const guarded = (await itemsOf(app, 'api')).filter(({ api }) => api === 'sessionStorage');
  expect(guarded).toMatchObject([{ outcome: 'refused' }]);
});

/** Runs in the guest: what code can find out about the functions that are wrapped. */
const lookAt = `
  const print = Function.prototype.toString;
  const owners = { window, console, Document: Document.prototype, IDBFactory: IDBFactory.prototype,
    Clipboard: window.Clipboard?.prototype, MediaDevices: window.MediaDevices?.prototype,
    Geolocation: window.Geolocation?.prototype, CacheStorage: window.CacheStorage?.prototype,
    ServiceWorkerContainer: window.ServiceWorkerContainer?.prototype, Notification: window.Notification,
    Element: Element.prototype, HTMLVideoElement: HTMLVideoElement.prototype, Function: Function.prototype };
  const names = { window: 'localStorage sessionStorage caches alert confirm prompt print open', Document: 'cookie execCommand',
    console: 'debug log info warn error trace dir table assert', IDBFactory: 'open', CacheStorage: 'open',
    Clipboard: 'read readText write writeText', MediaDevices: 'getUserMedia getDisplayMedia',
    Geolocation: 'getCurrentPosition watchPosition', ServiceWorkerContainer: 'register',
    Notification: 'requestPermission', Element: 'requestFullscreen', HTMLVideoElement: 'requestPictureInPicture',
    Function: 'toString' };
  const attempt = (run) => { try { return String(run()); } catch (error) { return error.name + ': ' + error.message; } };
  const about = (value) => typeof value !== 'function' ? value : [value.name, value.length, print.call(value), String(value),
    Object.getOwnPropertyNames(value).join(), 'prototype' in value, Object.getPrototypeOf(value) === Function.prototype,
    attempt(() => value.call({})), attempt(() => Reflect.construct(Object, [], value)), attempt(() => value.call(null))];
  const seen = {};
  for (const [owner, list] of Object.entries(names))
    for (const name of list.split(' ')) {
      const d = owners[owner] && Object.getOwnPropertyDescriptor(owners[owner], name);
      seen[owner + '.' + name] = d && { ...d, value: about(d.value), get: about(d.get), set: about(d.set) };
    }
  seen.keys = Object.getOwnPropertyNames(window).join();
  seen.consoleKeys = Object.keys(console).join();
  seen.bare = [attempt(() => (0, alert)('x')), attempt(() => (0, print)()), attempt(() => new console.log()),
    attempt(() => new (Function.prototype.toString)()), attempt(() => print.call({})), attempt(() => navigator.clipboard === navigator.clipboard)];
  say('seen', JSON.stringify(seen));`;

test('wrapping changes neither name, length, text, descriptor nor error of any function', async () => {
  const [wrapped, plain] = [
    await mountApp(page, world, toGuest(lookAt), {}, inFull),
    await mountApp(page, world, toGuest(lookAt)),
  ];
  await eventually(() => wrapped.said('seen')).toHaveLength(1);
  await eventually(() => plain.said('seen')).toHaveLength(1);
  const read = async (app: Mounted): Promise<Record<string, unknown>> =>
    // What the script above made.
    JSON.parse(String((await app.said('seen'))[0])) as Record<string, unknown>;
  const before = await read(plain);
  expect(Object.keys(before).length).toBeGreaterThan(30);
  expect(await read(wrapped)).toEqual(before);
  // And yet they are wrapped.
  await eventually(() => itemsOf(wrapped, 'console')).not.toHaveLength(0);
});

test('a rejection that the app handles, or does not, is told to it as without wrapping', async () => {
  const script = `
    const told = [];
    addEventListener('unhandledrejection', (event) => told.push(String(event.reason?.name)));
    document.body.requestFullscreen();
    document.body.requestFullscreen().catch(() => told.push('handled'));
    setTimeout(() => say('told', told.sort().join()), 300);`;
  const answers = [];
  for (const params of [inFull, {}]) {
    const app = await mountApp(page, world, toGuest(script), {}, params);
    await eventually(() => app.said('told')).toHaveLength(1);
    answers.push(...(await app.said('told')));
  }
  expect(answers).toEqual(['TypeError,handled', 'TypeError,handled']);
});
