import { isRecord, toPrintable } from '../loaded/loaded.js';
import type { FramePlan } from '../frame/frame-plan.js';
import type { FetchedText } from '../session-options.js';
import type { Surface } from '../surface.js';

const maxAddress = 8000;

/**
 * Has the app's frame read a text. Asked for an address that the app's policy would block, the browser would report a
 * violation that the app did not cause; so such an address is refused here.
 */
export const fetchFromApp = async (
  url: string,
  { surface, plan }: { readonly surface: Pick<Surface, 'fetchText'>; readonly plan: FramePlan | undefined },
): Promise<FetchedText> => {
  if (!plan || !surface.fetchText) return { refused: 'The app is not there.' };
  const address = toAddress(url);
  if (!address) return { refused: 'It is no http or https address.' };
  const { connect } = plan.policy;
  if (address.origin !== plan.appOrigin && !connect.some((domain) => isWithin(address, domain)))
    return {
      refused: `The app's policy does not let it read from ${toPrintable(address.origin)}. Declare it in _meta.ui.csp.connectDomains of the resource.`,
    };
  const said = await surface.fetchText(address.href).catch(() => undefined);
  if (typeof said === 'string') return { text: said };
  const refused = isRecord(said) && typeof said.refused === 'string' ? said.refused : undefined;
  return { refused: refused === undefined ? 'The app did not answer in time.' : toPrintable(refused, 300) };
};

const toAddress = (url: string): URL | undefined => {
  try {
    const address = new URL(url.length > maxAddress ? '' : url);
    return /^https?:$/.test(address.protocol) ? address : undefined;
  } catch {
    return undefined;
  }
};

/** Whether an address is of a domain as a policy holds it: an origin, or one with `*.` before its host. */
const isWithin = ({ origin }: URL, domain: string): boolean => {
  const [before, after] = domain.split('//*.', 2);
  if (after === undefined || before === undefined) return origin === domain;
  return origin.startsWith(`${before}//`) && origin.endsWith(`.${after}`);
};
