import type { MountedApp } from '@casement/host';
import type { McpAppProps } from '@casement/react';
import { McpApp } from '@casement/react';
import { createElement, createRef, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createAnswers, createMessage, shownTool, toServer } from './page-answers.js';
import type { ContractSpec, Heard } from './page-contract.js';

const heard: Heard[] = [];
const ref = createRef<MountedApp>();
let root: Root;
let props: McpAppProps;

const render = (): void =>
  root.render(createElement(StrictMode, null, createElement(McpApp, { ...props, ref })));

const toProps = (spec: ContractSpec): McpAppProps => {
  const answer = createAnswers(spec, heard);
  const { answers = {} } = spec;
  return {
    sandbox: { base: spec.base },
    server: toServer(spec),
    ...(spec.hasTool === false ? { resourceUri: 'ui://contract/app' } : { tool: shownTool }),
    displayModes: spec.displayModes,
    limits: spec.limits,
    fallback: spec.fallback && createElement('p', null, spec.fallback),
    openLink: (url) => heard.push({ what: 'opened', value: url }),
    createMessage,
    ...(answers.link ? { onOpenLink: async (request) => answer('link', request) } : {}),
    ...(answers.message ? { onMessage: async (request) => answer('message', request) } : {}),
    ...(answers.download ? { onDownload: async (request) => answer('download', request) } : {}),
    ...(answers.sampling ? { onSampling: async (request) => answer('sampling', request) } : {}),
    ...(answers.teardown ? { onRequestTeardown: () => answer('teardown', {}) !== false } : {}),
    ...(spec.hearsModelContext
      ? { onModelContext: (context) => void heard.push({ what: 'model-context', value: context ?? null }) }
      : {}),
    onLog: ({ data }) => void heard.push({ what: 'log', value: data }),
    onFailure: ({ code }) => void heard.push({ what: 'failure', value: code }),
  };
};

window.contract = {
  heard,
  show(spec) {
    root = createRoot(document.body.appendChild(document.createElement('div')));
    props = toProps(spec);
    render();
  },
  showOther(spec) {
    const place = document.body.appendChild(document.createElement('div'));
    place.style.cssText = 'position: absolute; top: 0; width: 300px';
    createRoot(place).render(createElement(McpApp, toProps(spec)));
  },
  change(changes) {
    props = { ...props, ...changes };
    render();
  },
  snapshot: () => ref.current?.getSnapshot(),
  controls() {
    if (!ref.current) throw new Error('The app is not mounted.');
    return ref.current;
  },
  remove() {
    root.unmount();
    return Promise.resolve();
  },
};
