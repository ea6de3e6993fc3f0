// What every loader reports of the page it became: uncaught errors, loads that failed, blocked ones. Listeners alone; it
// runs in the guest, which can silence it or forge what it says.
import { createEvidenceQueue, type EvidenceQueue } from './evidence-queue.js';

type Report = (name: string, params: object) => void;

const MAX_ERRORS = 20;
const MAX_STACK = 4000;

const toFile = (url: string): string | undefined => url.split('?')[0];
const page = window.location.href;

const toText = (reason: unknown): string => {
  try {
    return `Uncaught (in promise) ${reason instanceof Error ? String(reason) : (JSON.stringify(reason) ?? typeof reason)}`;
  } catch {
    return 'Uncaught (in promise)';
  }
};

/** The stack of what was thrown, if it has one; of guest code, as all of it is. */
const toStack = (error: unknown): { stack?: string } => {
  try {
    const stack: unknown = (error as Error | null | undefined)?.stack;
    // The page's own address carries its policy.
    return typeof stack === 'string'
      ? {
          stack: stack
            .slice(0, 4 * MAX_STACK)
            .split(page)
            .join(toFile(page))
            .slice(0, MAX_STACK),
        }
      : {};
  } catch {
    return {};
  }
};

/** The address an element wanted, whatever kind of element it is. */
const toAddress = (element: object): string => {
  const { currentSrc, src, href, data } = element as Readonly<Record<string, unknown>>;
  const link = (href as SVGAnimatedString | undefined)?.baseVal ?? href;
  return String(currentSrc || src || link || data || '').slice(0, 2000);
};

/** A load that failed, until its window ends. */
interface FailedLoad {
  readonly kind: 'load-failed';
  url: string;
  element: string;
  status?: number;
}

/** Reports on the page from the moment `listen` is called, and again whenever a rewrite took the listeners away. */
export interface TroubleReport extends EvidenceQueue {
  listen(): void;
}

/** Creates the report. */
export const createTroubleReport = (report: Report): TroubleReport => {
  let errors = 0;
  /** How far the list of the page's loads was looked through for modules. */
  const told = new Set<string>();

  /** The browser knows by now how a load ended, where it tells. */
  const complete = (items: readonly object[]): void => {
    for (const item of items as FailedLoad[]) {
      if (item.kind !== 'load-failed' || item.element === 'css') continue;
      const entries = performance.getEntriesByName(item.url) as PerformanceResourceTiming[];
      const status = entries.at(-1)?.responseStatus;
      if (status) item.status = status;
      // The script itself came, or is in the page: then it is what the script imports.
      const missing = item.element === 'script' && (item.url === '' || status === 200) && findModule();
      if (!missing) continue;
      item.url = missing.name;
      if (missing.responseStatus > 0) item.status = missing.responseStatus;
    }
  };
  /** A module that did not come: these are read with CORS, so the browser tells whether there was an answer. */
  const findModule = (): PerformanceResourceTiming | undefined =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(
      ({ name, initiatorType, responseStatus }) => {
        const isMissing = responseStatus === 0 || responseStatus >= 400;
        if (!isMissing || told.has(name) || !/^(?:script|other)$/.test(initiatorType)) return false;
        if (Array.from(document.scripts).some(({ src }) => src === name)) return false;
        told.add(name);
        return true;
      },
    );
  const queue = createEvidenceQueue(report, complete);

  const reportError = (message: string, error: unknown, place: object): void => {
    // A script that throws in every frame must not use up what the app may send.
    if ((errors += 1) <= MAX_ERRORS)
      report('script-error', { message: message.slice(0, 500), ...place, ...toStack(error) });
  };
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    report('violation', {
      directive: event.effectiveDirective,
      blockedUri: event.blockedURI,
      sourceFile: toFile(event.sourceFile),
      line: event.lineNumber,
      column: event.columnNumber,
      sample: event.sample,
      disposition: event.disposition,
    });
  };
  const onError = (event: ErrorEvent): void => {
    const { message, target } = event;
    if (typeof message === 'string') {
      reportError(message, event.error, {
        sourceFile: toFile(event.filename),
        line: event.lineno,
        column: event.colno,
      });
    } else if (event.isTrusted && target instanceof Element && queue.hasRoom('load-failed'))
      queue.add({ kind: 'load-failed', url: toAddress(target), element: target.localName });
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => reportError(toText(reason), reason, {});

  const onLoads = (list: PerformanceObserverEntryList): void => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      const { initiatorType, name: url, responseStatus: status } = entry;
      // Of a picture from elsewhere no status is told, whether it came or not; a font is read with CORS.
      const isFont = /\.(?:woff2?|ttf|otf)(?:\?|$)/.test(url);
      if (initiatorType === 'css' && (status >= 400 || (status === 0 && isFont)))
        queue.add({ kind: 'load-failed', url, element: 'css', ...(status ? { status } : {}) });
    }
  };
  new PerformanceObserver(onLoads).observe({ type: 'resource', buffered: true });

  return {
    ...queue,
    listen() {
      window.addEventListener('securitypolicyviolation', onViolation, true);
      window.addEventListener('error', onError, true);
      window.addEventListener('unhandledrejection', onRejection, true);
    },
  };
};
