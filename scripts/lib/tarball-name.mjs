/** The name npm gives a package's tarball. */
export const toTarballName = ({ name, version }) =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
