// Browsers write screenshots fast, not small: the same pixels, filtered for a page of text and compressed with more effort.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signatureLength = 8;

const readChunks = (png) => {
  const chunks = [];
  for (let at = signatureLength; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
};

const toChunk = ({ type, data }) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

const paeth = (left, above, corner) => {
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
};

/** What each of the five filters of the format predicts from the bytes to the left, above and between. */
const predictions = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

const unfilter = (filtered, stride, step) => {
  const rows = [];
  for (let at = 0; at < filtered.length; at += stride + 1) {
    const predict = predictions[filtered[at]];
    const above = rows.at(-1) ?? Buffer.alloc(stride);
    const row = Buffer.alloc(stride);
    for (let x = 0; x < stride; x += 1) {
      const [left, corner] = x < step ? [0, 0] : [row[x - step], above[x - step]];
      row[x] = filtered[at + 1 + x] + predict(left, above[x], corner);
    }
    rows.push(row);
  }
  return rows;
};

/** Flat pages compress best unfiltered or by "same as above"; each is tried on all rows. */
const filter = (rows, kind) =>
  Buffer.concat(
    rows.flatMap((row, y) => {
      const above = rows[y - 1];
      const plain = kind === 0 || !above;
      return [
        Buffer.of(plain ? 0 : kind),
        plain ? row : Buffer.from(row.map((value, x) => value - above[x])),
      ];
    }),
  );

/** A PNG (8 bits, RGB or RGBA) with the same pixels in fewer bytes. */
export const tightenPng = (png) => {
  const chunks = readChunks(png);
  const kept = (type) => chunks.find((chunk) => chunk.type === type);
  const header = kept('IHDR');
  const step = header.data[9] === 6 ? 4 : 3;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const rows = unfilter(inflateSync(packed), header.data.readUInt32BE(0) * step, step);
  const [data] = [0, 2]
    .map((kind) => deflateSync(filter(rows, kind), { level: 9, memLevel: 9 }))
    .sort((a, b) => a.length - b.length);
  return Buffer.concat([
    png.subarray(0, signatureLength),
    ...[header, { type: 'IDAT', data }, kept('IEND')].map(toChunk),
  ]);
};
