import type { MountAppOptions, MountedApp } from '@casement/host';
import type { prepareApp } from '@casement/host/prepare';
import type { Recording } from '@casement/protocol';
import type { ServerEvent } from '@casement/protocol/ports';
import type { Page } from 'playwright-core';

/** How the server of a prepared app behaves from now on; everything survives the way into the page. */
export interface Behaviour {
  readonly html?: string;
  /** `_meta.ui` of the resource. */
  readonly ui?: Readonly<Record<string, unknown>>;
  /** What a read comes to: an answer, an answer once `answer` is called, nothing at all, or an error of this code. */
  readonly read?: 'answers' | 'waits' | 'hangs' | 'server-sign-in' | 'server-exited';
}

interface Held {
  readonly prepared: ReturnType<typeof prepareApp>;
  readonly options: MountAppOptions;
  readonly recording: Recording;
  readonly container: HTMLElement;
  readonly asked: string[];
  behave(change: Behaviour): void;
  /** Lets the reads that wait be answered, as the server behaves by then. */
  answer(): void;
  emit(event: ServerEvent): void;
  app?: MountedApp;
}

declare global {
  interface Window {
    prepared: Held[];
    prepareOne(base: string, behaviour: Behaviour, options?: Record<string, unknown>): void;
  }
}

/** Gives a page with the host's code what these tests prepare apps with. */
export const installPreparing = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.prepared = [];
    window.prepareOne = (base, first, options = {}) => {
      let now = first;
      const asked: string[] = [];
      const listeners = new Set<(event: ServerEvent) => void>();
      const waiting: (() => void)[] = [];
      const uri = `ui://weather/app-${String(options.number ?? 0)}`;
      const container = document.createElement('section');
      document.body.append(container);
      const recording = window.hostModule.createRecording({ writer: 'page' });
      const note = <T>(what: string, answer: T): Promise<T> => {
        asked.push(what);
        return Promise.resolve(answer);
      };
      const given: MountAppOptions = {
        server: {
          name: 'weather',
          identity: 'test-weather',
          listTools: () => note('tools/list', []),
          callTool: () => note('tools/call', { content: [] }),
          listResources: () => note('resources/list', []),
          readResource: async () => {
            const then = now;
            await note('resources/read', undefined);
            const isHeld = then.read === 'waits';
            if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
            const { html: text = '', ui, read } = isHeld ? now : then;
            if (read === 'hangs') return new Promise(() => undefined);
            if (read === 'server-sign-in' || read === 'server-exited')
              throw new window.hostModule.CasementError(read, 'No.');
            const _meta = ui ? { ui } : {};
            return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text, _meta }] };
          },
          subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
        tool: { name: 'show_weather', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } },
        sandbox: { base },
        recording,
        ...options,
      };
      window.prepared.push({
        prepared: window.hostModule.prepareApp(container, given),
        options: given,
        recording,
        container,
        asked,
        behave: (change) => (now = { ...now, ...change }),
        answer: () => waiting.splice(0).forEach((resolve) => resolve()),
        emit: (event) => listeners.forEach((listener) => listener(event)),
      });
    };
  });

/** Makes an app ready; `number` makes it one of another address. */
export const prepare = (
  page: Page,
  base: string,
  behaviour: Behaviour,
  options: Record<string, unknown> = {},
): Promise<void> =>
  page.evaluate(([at, how, given]) => window.prepareOne(at, how, given), [base, behaviour, options] as const);

/** The entries about the frames of one app, each as its step and the reason. */
export const warmSteps = (page: Page, index = 0): Promise<string[]> =>
  page.evaluate(
    (at) =>
      (window.prepared[at]?.recording.entries() ?? []).flatMap(({ raw }) => {
        const { type, step, reason, code } = Object(raw);
        return type === 'warm' ? [[step, reason, code].filter(Boolean).join(' ')] : [];
      }),
    index,
  );

/** Mounts what was made ready, as a click on Run does. */
export const mountPrepared = (page: Page, index = 0): Promise<void> =>
  page.evaluate((at) => {
    const held = window.prepared[at];
    if (held) held.app = held.prepared.mount({ ...held.options, toolInput: {} });
  }, index);

/** Changes how the server of an app behaves. */
export const behave = (page: Page, change: Behaviour, index = 0): Promise<void> =>
  page.evaluate(([how, at]) => window.prepared[at]?.behave(how), [change, index] as const);

/** Lets the reads that wait be answered, after a change if one is given. */
export const answerReads = async (page: Page, change: Behaviour = {}, index = 0): Promise<void> => {
  await behave(page, change, index);
  await page.evaluate((at) => window.prepared[at]?.answer(), index);
};

/** What the session of a mounted app says. */
export const readPrepared = (page: Page, index = 0) =>
  page.evaluate((at) => {
    const held = window.prepared[at];
    const { status, failure, policy, resource, epoch } = held?.app?.getSnapshot() ?? {};
    return {
      status,
      failure: failure?.code,
      connect: policy?.effective.connect,
      hash: resource?.hash,
      epoch,
      asked: held?.asked,
      isOver: held?.prepared.isOver,
    };
  }, index);
