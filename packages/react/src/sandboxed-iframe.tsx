import type { FrameWish, SandboxTarget } from '@casement/host';
import { planFrame } from '@casement/host';
import { isRecord } from '@casement/protocol/basics';
import type { CSSProperties } from 'react';
import { forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useMcpHost } from './mcp-host.js';

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
  readonly csp?: FrameWish['csp'];
  readonly permissions?: FrameWish['permissions'];
}

type Plan = Awaited<ReturnType<typeof planFrame>>;

/** HTML behind the sandbox proxy, two frames deep; whoever uses it speaks the protocol. */
export const SandboxedIframe = forwardRef<SandboxedIframeHandle, SandboxedIframeProps>(
  function SandboxedIframe({ title = 'Sandboxed Content', className, style, ...props }, ref) {
    const { html, sandbox, csp, permissions, uri = 'ui://sandboxed/content' } = props;
    const host = useMcpHost();
    const [ownIdentity] = useState(toIdentity);
    const frame = useRef<HTMLIFrameElement>(null);
    const sent = useRef<string>(undefined);
    const latest = useRef(props);
    const [plan, setPlan] = useState<Plan>();
    const [ready, setReady] = useState(0);
    const [generation, setGeneration] = useState(1);
    const wish = JSON.stringify({
      sandbox: props.target ?? host?.sandbox,
      identity: props.identity ?? ownIdentity,
      uri,
      csp,
      permissions,
      ...(sandbox === undefined || /(^|\s)allow-forms(\s|$)/.test(sandbox)
        ? {}
        : { withoutSandboxTokens: ['allow-forms'] }),
    });
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
      // The text above is a FrameWish but for the origins; what makes no frame throws where React shows it.
      const given = JSON.parse(wish) as FrameWish;
      planFrame({ ...given, origins }).then(
        (next) => isWanted && setPlan(next),
        (error: unknown) =>
          isWanted &&
          setPlan(() => {
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
        const { data } = event;
        if (!isRecord(data) || data.jsonrpc !== '2.0') return;
        const method = typeof data.method === 'string' ? data.method : '';
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
    const { url, sandbox: flags, allow } = plan.frame;
    const frames = { sandbox: flags, allow, referrerPolicy: 'no-referrer' as const, src: url };
    return <iframe key={generation} ref={frame} {...looks} {...frames} />;
  },
);

const toIdentity = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('');
