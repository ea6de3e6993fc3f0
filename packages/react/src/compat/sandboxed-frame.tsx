import type { planFrame, SandboxTarget } from '@casement/host';
import type { CSSProperties } from 'react';
import { forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';

type Plan = Awaited<ReturnType<typeof planFrame>>;

/** What the ref of a `SandboxedIframe` can do. */
export interface SandboxedIframeHandle {
  /** Sends a message to the app inside. */
  postMessage(data: unknown): void;
}

/** The props of `SandboxedIframe`. */
export interface SandboxedIframeProps {
  /** The page to show; null until it is there, another one makes another frame. */
  readonly html: string | null;
  /** Sandbox flags. They can only take away: `allow-forms` goes when it is not listed, and nothing else is ever added. */
  readonly sandbox?: string;
  /** The proxy has reported in. */
  onProxyReady?(): void;
  /** A JSON-RPC message of the app; those of the sandbox itself are not among them. */
  onMessage(event: MessageEvent): void;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly title?: string;
  /** Where the sandbox is; that of the `McpHostProvider` unless given. */
  readonly target?: SandboxTarget;
  /** Frames with one identity and address share an origin and its storage; one's own unless given. */
  readonly identity?: string;
  readonly uri?: string;
  /** Domains and permissions the page gets. */
  readonly csp?: Parameters<typeof planFrame>[0]['csp'];
  readonly permissions?: Parameters<typeof planFrame>[0]['permissions'];
}

/**
 * Values that are decided before this code is loaded. They are passed as props so that the two bundles share no module.
 */
export interface SandboxedFrameProps extends SandboxedIframeProps {
  readonly identity: string;
  readonly plan: typeof planFrame;
}

/** What `SandboxedIframe` is once its code has come. */
export const SandboxedFrame = forwardRef<SandboxedIframeHandle, SandboxedFrameProps>(function SandboxedFrame(
  { title, className, style, ...props },
  ref,
) {
  const { html } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const sent = useRef<string>(undefined);
  const latest = useRef(props);
  const [plan, setPlan] = useState<Plan>();
  const [ready, setReady] = useState(0);
  const [generation, setGeneration] = useState(1);
  const wish = toWish(props);
  const post = (data: unknown): void => {
    if (plan) frame.current?.contentWindow?.postMessage(data, plan.frame.origin);
  };

  useLayoutEffect(() => {
    latest.current = props;
  });
  useImperativeHandle(ref, () => ({ postMessage: post }), [plan]);
  useEffect(() => {
    let isWanted = true;
    const origins = [location.origin, ...(location.ancestorOrigins ?? [])];
    const hasCredentialless = 'credentialless' in HTMLIFrameElement.prototype;
    // The text is what planFrame takes, but for what the page itself knows.
    const given = JSON.parse(wish) as Parameters<typeof planFrame>[0];
    latest.current.plan({ ...given, origins, hasCredentialless }).then(
      (next) => isWanted && setPlan(next),
      (error: unknown) =>
        isWanted &&
        setPlan(() => {
          // Thrown while rendering, where an error boundary of the page can show it.
          throw error;
        }),
    );
    return () => {
      isWanted = false;
      sent.current = undefined;
      setPlan(undefined);
      setGeneration((count) => count + 1);
    };
  }, [wish]);
  useLayoutEffect(() => {
    const hear = (event: MessageEvent): void => {
      const source = frame.current?.contentWindow;
      if (!source || event.source !== source || event.origin !== plan?.frame.origin) return;
      // Anything may come; what is no JSON-RPC has no effect.
      const data = event.data as { jsonrpc?: unknown; method?: unknown } | null | undefined;
      if (data?.jsonrpc !== '2.0') return;
      const method = String(data.method);
      if (/^ui\/notifications\/sandbox-(proxy-)?ready$/.test(method)) {
        setReady(generation);
        latest.current.onProxyReady?.();
      } else if (!method.startsWith('ui/notifications/sandbox-')) latest.current.onMessage(event);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [plan, generation]);
  useEffect(() => {
    if (html === null || ready !== generation || sent.current === html) return;
    // A proxy takes one page; for another there is another proxy.
    if (sent.current !== undefined) {
      sent.current = undefined;
      return setGeneration(generation + 1);
    }
    sent.current = html;
    const method = 'ui/notifications/sandbox-resource-ready';
    post({ jsonrpc: '2.0', method, params: { html, ...plan?.granted } });
  }, [html, ready, generation]);

  const looks = { className, style, title };
  if (!plan) return <iframe key="none" sandbox="" {...looks} />;
  const { url, sandbox, allow, credentialless } = plan.frame;
  return (
    <iframe
      key={generation}
      ref={frame}
      {...looks}
      {...{ sandbox, allow }}
      // React does not know the attribute; a text it sets as it is.
      {...(credentialless ? { credentialless: '' } : {})}
      referrerPolicy="no-referrer"
      src={url}
    />
  );
});

/** The props that decide about the frame, as text: equal props in new objects must not make a new frame. */
const toWish = (props: SandboxedFrameProps): string => {
  const { target, identity, csp, permissions, sandbox, uri = 'ui://sandboxed/content' } = props;
  const keepsForms = sandbox === undefined || sandbox.split(/\s+/).includes('allow-forms');
  const fewer = keepsForms ? {} : { withoutSandboxTokens: ['allow-forms'] };
  return JSON.stringify({ sandbox: target, identity, uri, csp, permissions, ...fewer });
};
