import type { FrameSpec } from '../../core/surface.js';

/** Makes the outer frame of an app; it begins to load when it is put into the page. */
export const createFrameElement = (page: Document, spec: FrameSpec, title: string): HTMLIFrameElement => {
  const element = page.createElement('iframe');
  element.setAttribute('sandbox', spec.sandbox); // HOST-026
  element.setAttribute('allow', spec.allow);
  // Before the address: it holds for what is loaded afterwards.
  element.toggleAttribute('credentialless', spec.credentialless);
  element.title = title;
  element.referrerPolicy = 'no-referrer';
  // Until the app is ready nothing is seen of it, least of all a white canvas: light is what its pages are then.
  Object.assign(element.style, { opacity: '0', colorScheme: 'light' });
  element.src = spec.url;
  return element;
};
