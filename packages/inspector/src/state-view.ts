import type { AppSnapshot } from '@casement/host';
import { element, textElement } from './page-elements.js';
import { toPrintable } from './printable-text.js';

const toRows = (snapshot: AppSnapshot): [string, string][] => {
  const { resource, address, size, policy, violations } = snapshot;
  const rows: [string, string][] = [
    ['Epoch', `${snapshot.epoch}${snapshot.prewarmed ? ', pre-warmed' : ''}`],
  ];
  if (resource) rows.push(['Resource', `${resource.uri}, ${(resource.bytes / 1024).toFixed(1)} KB`]);
  if (address) rows.push(['App origin', address.appOrigin], ['Proxy origin', address.proxyOrigin]);
  if (size?.height !== undefined) rows.push(['Height asked', `${Math.round(size.height)} px`]);
  if (policy && policy.dropped.length > 0)
    rows.push([
      'Domains refused',
      policy.dropped.map(({ value, reason }) => `${value}: ${reason}`).join('; '),
    ]);
  if (violations.length > 0)
    rows.push([
      `Blocked (${violations.length})`,
      violations
        .slice(-3)
        .map(({ directive, blockedUri }) => `${directive} ${blockedUri}`)
        .join('; '),
    ]);
  if (snapshot.dropped > 0) rows.push(['Messages dropped', String(snapshot.dropped)]);
  for (const finding of resource?.findings ?? []) rows.push(['Finding', `${finding.message} ${finding.fix}`]);
  return rows;
};

let shown = '';

/** Shows what is known about the running app, and why a fallback is in use. */
export const showState = (snapshot: AppSnapshot | undefined): void => {
  const rows = snapshot ? toRows(snapshot) : [];
  const text = JSON.stringify([rows, snapshot?.fallback]);
  if (text === shown) return;
  shown = text;
  const list = element('state', HTMLElement);
  list.replaceChildren(
    ...rows.map(([name, value]) => toRow(name, textElement('dd', toPrintable(value, 600)))),
  );
  const fallback = element('fallback', HTMLElement);
  fallback.hidden = snapshot?.fallback === undefined;
  fallback.dataset.fallbackReason = snapshot?.fallback?.kind ?? '';
  fallback.textContent = snapshot?.fallback?.reason ?? '';
};

const toRow = (name: string, value: HTMLElement): HTMLElement => {
  const row = document.createElement('div');
  row.append(textElement('dt', name), value);
  return row;
};
