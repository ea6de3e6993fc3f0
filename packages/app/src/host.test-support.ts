import type { HostCapabilities, HostContext, Peer, RequestHandlers, Transport } from '@casement/protocol';
import { createMemoryTransportPair } from '@casement/protocol';
import { createPeer } from '@casement/protocol/wire';
import { CasementError } from '@casement/protocol/start';

/** What came from the app, in order. */
interface Heard {
  readonly method: string;
  readonly params: unknown;
}

/** What a test decides about the host. */
export interface HostPlan {
  readonly capabilities?: HostCapabilities;
  readonly context?: HostContext;
  readonly handlers?: RequestHandlers;
}

/** A host that offers everything. */
export const everything: HostCapabilities = {
  openLinks: {},
  downloadFile: {},
  serverTools: {},
  serverResources: {},
  logging: {},
  updateModelContext: { text: {}, structuredContent: {} },
  message: { text: {} },
  sampling: { tools: {} },
};

/** A host at the far end of a transport: our own peer, which checks every message against the method table. */
export const createTestHost = (transport: Transport, plan: HostPlan = {}) => {
  const heard: Heard[] = [];
  const invalid: unknown[] = [];
  const hear =
    <R>(method: string, answer: (params: never) => R) =>
    (params: unknown): R => {
      heard.push({ method, params });
      // Each handler below takes what its method carries, which the peer has checked.
      return answer(params as never);
    };
  const peer: Peer = createPeer({
    transport,
    side: 'host',
    requestHandlers: {
      'ui/initialize': hear('ui/initialize', () => ({
        protocolVersion: '2026-01-26',
        hostInfo: { name: 'test host', version: '1.0.0' },
        hostCapabilities: plan.capabilities ?? everything,
        hostContext: plan.context ?? { theme: 'dark', locale: 'de-CH' },
      })),
      'tools/call': hear('tools/call', ({ name, arguments: args }: { name: string; arguments?: object }) => {
        if (name === 'fail') throw new CasementError('tool-failed', 'no');
        return { content: [{ type: 'text' as const, text: 'done' }], structuredContent: args ?? {} };
      }),
      'resources/read': hear('resources/read', ({ uri }: { uri: string }) => ({
        contents: [{ uri, text: 'read' }],
      })),
      'resources/list': hear('resources/list', () => ({ resources: [{ uri: 'note://1', name: 'note' }] })),
      'ui/open-link': hear('ui/open-link', () => ({})),
      'ui/message': hear('ui/message', () => ({})),
      'ui/update-model-context': hear('ui/update-model-context', () => ({})),
      'ui/download-file': hear('ui/download-file', () => ({ isError: true })),
      'ui/request-display-mode': hear('ui/request-display-mode', () => ({ mode: 'inline' })),
      'sampling/createMessage': hear('sampling/createMessage', () => ({
        model: 'm',
        role: 'assistant',
        content: { type: 'text', text: 'hi' },
      })),
      ...plan.handlers,
    },
    onNotification: ({ method, params }) => heard.push({ method, params }),
    onInvalid: (info) => invalid.push(info),
  });
  return {
    peer,
    heard,
    invalid,
    methods: () => heard.map(({ method }) => method),
    paramsOf: (method: string) =>
      heard.filter((entry) => entry.method === method).map(({ params }) => params),
  };
};
export type TestHost = ReturnType<typeof createTestHost>;

/** A host and the transport an app reaches it by. */
export const openHost = (plan?: HostPlan): { host: TestHost; transport: Transport } => {
  const [near, transport] = createMemoryTransportPair();
  return { host: createTestHost(near, plan), transport };
};

/** Lets everything that is under way arrive. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
};
