import type { FrameWish } from '@casement/host';
import { planFrame } from '@casement/host';
import { isRecord } from '@casement/protocol/basics';
import { forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { toIdentity } from './handler-port.js';
import { useMcpHost } from './mcp-host.js';
import type { SandboxedIframeHandle, SandboxedIframeProps } from './sandboxed-iframe.js';

type Plan = Awaited<ReturnType<typeof planFrame>>;

/** What `SandboxedIframe` is once its code has come. */
export const SandboxedFrame = forwardRef<SandboxedIframeHandle, SandboxedIframeProps>(function SandboxedFrame(
  { title, className, style, ...props },
  ref,
) {
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
});
