// Servers that packages are installed from: an address in an option, a variable or a setting.
// Invariant: the usual registries, this machine, a private network and whatever the project's own files name pass.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { nameList } from "../hazards/name-list.js";
import { literal } from "../spec/options.js";

/** Public registries, their mirrors, and services that host a company's own. */
const usual = nameList(
  `pypi.org test.pypi.org *.pypi.org *.pythonhosted.org download.pytorch.org data.pyg.org pypi.{nvidia,ngc.nvidia}.com
  pypi.anaconda.org conda.anaconda.org repo.anaconda.com *.piwheels.org flashinfer.ai pypi.fury.io
  pypi.tuna.tsinghua.edu.cn mirrors.* *.mirrors.* repo.huaweicloud.com pypi.doubanio.com pypi.douban.com
  registry.{npmjs.org,yarnpkg.com,npmmirror.com,npm.taobao.org} npm.jsr.io npm.pkg.github.com
  rubygems.org index.rubygems.org index.crates.io proxy.golang.org goproxy.io goproxy.cn
  *.pkg.dev *.amazonaws.com pkgs.dev.azure.com *.pkgs.visualstudio.com *.jfrog.io gitlab.com dl.cloudsmith.io`,
);

const private_ =
  /^(?:localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[?::1\]?|[\w-]+)$|\.(?:local|internal|corp|lan|intranet|home\.arpa)$/;

/** Where a project says what its registry is. */
const settings = `.npmrc .yarnrc.yml .yarnrc bunfig.toml package.json pip.conf .pip/pip.conf pyproject.toml uv.toml
  requirements.txt requirements-dev.txt Pipfile poetry.toml setup.cfg tox.ini Dockerfile Gemfile .bundle/config`.split(
  /\s+/,
);

export function judgeIndex(addresses: readonly Arg[], emit: Emit): void {
  for (const { value } of addresses) {
    const host = /^https?:\/\/(?:[^@/]*@)?([^/:?#]+|\[[^\]]*\])/i.exec(value ?? "")?.[1]?.toLowerCase();
    if (host === undefined || private_.test(host) || usual.test(host)) continue;
    if (settings.some((file) => emit.projectFile(literal(file))?.includes(host))) continue;
    return emit.hazard(hazard("package-index"), `packages come from ${host}`);
  }
}

/** Variables that name the server, set in front of the command or exported before. */
export const variables = ({ env }: Invocation, names: string): Arg[] =>
  names.split(" ").flatMap((name) => {
    const value = env[name];
    return value ? [value] : [];
  });
