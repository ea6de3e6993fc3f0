import type { AppFamily } from '@casement/protocol';
import { CasementError, readToolUi } from '@casement/protocol';
import type { AppResource, AppResources } from './app-resource.js';
import type { FramePlan } from './frame-plan.js';
import type { AppOptions } from './session-options.js';
import { withTimeLimit } from './time-limit.js';

/** A read that began before there was anybody to use it. */
export interface EarlyRead {
  readonly uri: string;
  /** What was known of the address before. */
  readonly known: AppResource | undefined;
  readonly reading: Promise<AppResource>;
}

/** What loading needs from its session. */
export interface LoadOptions {
  readonly app: Pick<AppOptions, 'tool' | 'resourceUri' | 'family' | 'embedded'>;
  readonly maxBytes: number;
  readonly resources: AppResources;
  readonly resourceMs: number;
  readonly early: EarlyRead | undefined;
  /** Throws when the document must not be shown. */
  review(resource: AppResource): Promise<void>;
  toPlan(resource: AppResource): Promise<FramePlan>;
  /** Waits until it is this app's turn to come up. */
  takeTurn(): Promise<void>;
  mount(plan: FramePlan, isWarm: boolean): void;
  /** Throws warm frames away: the fresh read asks for another policy. */
  discard(): void;
  /** False once the session went another way; nothing is mounted then. */
  isCurrent(): boolean;
  /** Aborts with the session, so that no limit outlives it. */
  readonly signal: AbortSignal;
}

/**
 * Reads the tool's UI resource and has its frames mounted. When an earlier read told the policy, the frames are
 * mounted at once and the read runs beside them; never with a guessed policy.
 */
export const loadApp = async (options: LoadOptions): Promise<AppResource | undefined> => {
  const { app, resourceMs, review, toPlan, takeTurn, mount, discard, isCurrent } = options;
  const link = app.embedded === undefined ? toAddress(app) : await toEmbedded(app.embedded);
  const { resourceUri, findings } = link;
  if (resourceUri === undefined) {
    const finding = findings.find(({ code }) => code === 'resource-uri') ?? findings[0];
    throw new CasementError(finding ? 'resource-uri' : 'resource-missing', finding?.message ?? noUi(app), {
      step: 'resource',
      hint: finding?.fix ?? 'Set _meta.ui.resourceUri of the tool to a ui:// address.',
    });
  }
  const asFamily = (resource: AppResource): AppResource => toFamilyOf(resource, link.family, app.family);
  const { known, reading } = toRead(resourceUri, options);
  const limited = withTimeLimit(
    reading,
    resourceMs,
    () => toTimeout(resourceUri, resourceMs),
    options.signal,
  );
  // Awaited below; this keeps a failure during the warm mount from being reported as unhandled.
  limited.catch(() => undefined);
  const warm = known && (await toPlan(asFamily(known)));
  if (warm) await takeTurn();
  if (!isCurrent()) return undefined;
  if (warm) mount(warm, true);
  const resource = asFamily(await limited);
  await review(resource);
  const plan = await toPlan(resource);
  if (!warm) await takeTurn();
  if (!isCurrent()) return undefined;
  if (warm?.key === plan.key) return resource;
  if (warm) discard();
  mount(plan, false);
  return resource;
};

const toRead = (uri: string, { app, early, resources, maxBytes }: LoadOptions): Omit<EarlyRead, 'uri'> => {
  if (app.embedded !== undefined)
    return { known: undefined, reading: readEmbedded(app.embedded, uri, maxBytes) };
  return early?.uri === uri ? early : { known: resources.peek(uri), reading: resources.read(uri) };
};

const toEmbedded = async (
  embedded: unknown,
): Promise<Pick<Address, 'resourceUri' | 'family' | 'findings'>> => {
  const { readEmbeddedUri } = await import('../families/embedded-resource.js');
  return { resourceUri: readEmbeddedUri(embedded), family: null, findings: [] };
};

const readEmbedded = async (embedded: unknown, uri: string, maxBytes: number): Promise<AppResource> => {
  const { readEmbeddedResource } = await import('../families/embedded-resource.js');
  return readEmbeddedResource(embedded, uri, maxBytes);
};

/** Its own type decides, then what linked it; the embedder's choice wins over both, for what is HTML of either. */
const toFamilyOf = (
  resource: AppResource,
  linked: AppFamily | null,
  wished: AppFamily | undefined,
): AppResource => {
  if (resource.family === 'mcp-ui') return resource;
  const family = wished ?? (linked === 'openai' ? linked : resource.family);
  return family === resource.family ? resource : { ...resource, family, shim: false };
};

type Address = ReturnType<typeof readToolUi>;

/** An address given by the embedder is judged like one a tool names. */
const toAddress = ({ tool, resourceUri, family }: LoadOptions['app']): Address => {
  const own = readToolUi(tool, family);
  return resourceUri === undefined || own.resourceUri === resourceUri
    ? own
    : readToolUi({ _meta: { ui: { resourceUri } } });
};

const noUi = ({ tool }: LoadOptions['app']): string =>
  tool ? `The tool ${tool.name} names no UI resource.` : 'Neither a tool nor a resource address was given.';

const toTimeout = (uri: string, ms: number): CasementError =>
  new CasementError('resource-timeout', `The server did not return ${uri} within ${ms / 1000} s.`, {
    step: 'resource',
    hint: 'Check what the server does in resources/read; it may wait for a sign-in or a network call.',
  });
