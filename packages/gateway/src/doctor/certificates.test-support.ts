import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** A certificate with its key, as servers take them. */
export interface TestCertificate {
  cert: string;
  key: string;
  privateKey: KeyObject;
  name: string;
}

const toLength = (length: number): Buffer => {
  if (length < 128) return Buffer.from([length]);
  const bytes = length < 256 ? [length] : [length >> 8, length & 255];
  return Buffer.from([128 + bytes.length, ...bytes]);
};

/** One value of DER: its tag, its length, its content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), toLength(content.length), content]);
};

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const sequence = (...parts: Buffer[]): Buffer => der(SEQUENCE, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const COMMON_NAME = '550403';
const ALT_NAME = '551d11';
const BASIC = '551d13';
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

const toName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(name)))));

const toTime = (time: Date): Buffer =>
  der(0x18, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const toAltName = (host: string): Buffer => {
  const isDigits = /^[\d.]+$/.test(host);
  const value = isDigits ? Buffer.from(host.split('.').map(Number)) : Buffer.from(host);
  return sequence(der(isDigits ? 0x87 : 0x82, value));
};

const toPem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

const DAY_MS = 86_400_000;
let serial = 0;

/** Makes a certificate for a host; without an authority it signs itself. `days` is how long it is valid from now on. */
export const createCertificate = (
  host: string,
  { days = 30, by, isAuthority = false }: { days?: number; by?: TestCertificate; isAuthority?: boolean } = {},
): TestCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const extensions = [
    sequence(oid(ALT_NAME), der(OCTETS, toAltName(host))),
    ...(isAuthority
      ? [
          sequence(
            oid(BASIC),
            der(0x01, Buffer.from([255])),
            der(OCTETS, sequence(der(0x01, Buffer.from([255])))),
          ),
        ]
      : []),
  ];
  serial += 1;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial])),
    ecdsaWithSha256,
    toName(by?.name ?? host),
    sequence(toTime(new Date(now - 60 * DAY_MS)), toTime(new Date(now + days * DAY_MS))),
    toName(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = createSign('sha256')
    .update(body)
    .sign(by?.privateKey ?? privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    cert: toPem(whole),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
    name: host,
  };
};
