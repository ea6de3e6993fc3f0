import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import { toCertificateFault } from './reach-fault.js';
import type { Verdict } from './start-log.js';

const MAX_NAMES = 5;

const toText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** The names of a certificate, the first few of them. */
const toNames = ({ subject, subjectaltname = '' }: PeerCertificate): string => {
  const others = subjectaltname
    .slice(0, 2000)
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter(Boolean);
  const names = others.length > 0 ? others : [toText(subject?.CN) ?? 'nobody'];
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** The day of a time as certificates write it. */
const toDay = (time: string): string => {
  const parsed = new Date(time);
  return Number.isNaN(parsed.getTime()) ? time : parsed.toISOString().slice(0, 10);
};

/** What a TLS connection shows: its version, whose certificate it is, who signed it and how long it is valid. */
export const toTlsFacts = (socket: Pick<TLSSocket, 'getProtocol' | 'getPeerCertificate'>): string => {
  const version = (socket.getProtocol() ?? 'TLS').replace('TLSv', 'TLS ');
  // A server without a certificate gives an empty object, whatever the type says.
  const certificate = socket.getPeerCertificate() as Partial<DetailedPeerCertificate>;
  const { issuer, valid_to: end } = certificate;
  if (issuer === undefined || end === undefined) return `${version}, without a certificate.`;
  const signer = toText(issuer.O) ?? toText(issuer.CN) ?? 'nobody';
  return `${version}; certificate of ${toNames(certificate as PeerCertificate)}, signed by ${signer}, valid until ${toDay(end)}.`;
};

/** Why a certificate is refused, with what it says of itself. */
export const toTlsFault = (code: string, facts: string): Verdict => {
  const { verdict, fix } = toCertificateFault(code) ?? {
    verdict: `The certificate is not accepted (${code}).`,
  };
  return { verdict: `${verdict} ${facts}`, fix };
};
