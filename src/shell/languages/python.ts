// What Python's standard library does, as far as one-liners and small scripts use it.
// Invariant: a module or call not listed makes the program unknown.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Token } from "./tokens.js";
import type { Bindings, Meaning, Vocabulary } from "./vocabulary.js";

/** str.replace(a, b) is harmless, Path.replace(target) moves a file. */
const replace: Meaning = (call, scope) => {
  if (call.args.length !== 1) return;
  m.methodDeletes(call, scope);
  m.writes()(call, scope);
};

const renameMethod: Meaning = (call, scope) => {
  m.methodDeletes(call, scope);
  m.writes()(call, scope);
};

/** A method that writes to the path it is given: to_csv("x"), savefig("x"), ZipFile.extractall("dir"). */
const savesAs: Meaning = (call, scope) => {
  if (call.args.length > 0 || call.keywords.size > 0)
    m.writes(m.argument(0, "path", "fname", "path_or_buf"))(call, scope);
};

const fileInput: Meaning = (call, scope) => {
  const inplace = call.keywords.get("inplace")?.[0]?.text;
  const files = scope.list(call.args[0] ?? call.keywords.get("files")) ?? [
    scope.word(call.args[0] ?? call.keywords.get("files")),
  ];
  for (const file of files) scope.emit[inplace && inplace !== "False" ? "write" : "read"](file, "fileinput.input");
};

const chdir: Meaning = (_call, scope) => scope.emit.unknown("the program changes its directory");

const pathOpen: Meaning = (call, scope) => m.opens("mode", "read", () => call.receiver, 0)(call, scope);

const subprocess: Meaning = (call, scope) => {
  const command = call.args[0] ?? call.keywords.get("args");
  m.processes({ ...call, args: command ? [[...command]] : [] }, scope);
};

/** Standard streams tied to a socket: what reads them obeys another machine. */
const duplicates: Meaning = (call, scope) => {
  if (call.args[0]?.some((token) => token.text === "fileno"))
    scope.emit.hazard(hazard("reverse-shell"), "os.dup2 gives a connection to a program");
};

/** All pairs of a settings file. */
const envFile: Meaning = (call, scope) =>
  scope.emit.read(call.args[0] ? scope.word(call.args[0]) : literal(".env"), "dotenv_values");

const meanings: Record<string, Meaning> = {
  "os.dup2": duplicates,
  open: m.opens("mode"),
  "io.open": m.opens("mode"),
  "codecs.open": m.opens("mode"),
  "gzip.open": m.opens("mode"),
  "bz2.open": m.opens("mode"),
  "lzma.open": m.opens("mode"),
  "tarfile.open": m.opens("mode"),
  "zipfile.ZipFile": m.opens("mode"),
  "shelve.open": m.writes(),
  "sqlite3.connect": (call, scope) => {
    if (scope.constant(call.args[0]) !== ":memory:") m.writes()(call, scope);
  },
  "psycopg2.connect": m.networkCall(),
  "psycopg.connect": m.networkCall(),
  "pymysql.connect": m.networkCall(),
  "MySQLdb.connect": m.networkCall(),
  ".execute": m.nothing,
  ".executescript": m.nothing,
  ".executemany": m.nothing,
  "os.open": m.writes(),
  "os.mkfifo": m.writes(),
  ".open": pathOpen,
  ".write_text": m.methodWrites,
  ".write_bytes": m.methodWrites,
  ".touch": m.methodWrites,
  ".mkdir": m.methodWrites,
  ".chmod": m.methodWrites,
  ".symlink_to": m.methodWrites,
  ".hardlink_to": m.methodWrites,
  ".unlink": m.methodDeletes,
  ".rmdir": m.methodDeletes,
  ".rename": renameMethod,
  ".replace": replace,
  ".read_text": m.methodReads,
  ".read_bytes": m.methodReads,
  ".extractall": (call, scope) =>
    m.writes(m.argument(0, "path"), true)(
      call.args.length || call.keywords.has("path")
        ? call
        : { ...call, args: [[{ kind: "string", text: ".", value: "." }]] },
      scope,
    ),
  ".extract": m.writes(m.argument(1, "path")),
  ".to_csv": savesAs,
  ".to_json": savesAs,
  ".to_excel": savesAs,
  ".to_parquet": savesAs,
  ".savefig": savesAs,
  ".save": savesAs,
  "fileinput.input": fileInput,
  "fileinput.FileInput": fileInput,
  "os.remove": m.deletes(),
  "os.unlink": m.deletes(),
  "os.rmdir": m.deletes(),
  "os.removedirs": m.deletes(),
  "os.rename": m.transfers({ moves: true }),
  "os.replace": m.transfers({ moves: true }),
  "os.renames": m.transfers({ moves: true }),
  "os.link": m.links,
  "os.symlink": m.links,
  "os.mkdir": m.writes(),
  "os.makedirs": m.writes(),
  "os.chmod": m.writes(),
  "os.chown": m.writes(),
  "os.utime": m.writes(),
  "os.truncate": m.writes(),
  "os.mknod": m.writes(),
  "os.chdir": chdir,
  "os.system": m.runsShell(),
  "os.popen": m.runsShell(),
  "os.startfile": m.runsShell(),
  "os.execv": m.spawns,
  "os.execve": m.spawns,
  "os.execvp": m.spawns,
  "os.execvpe": m.spawns,
  "os.spawnl": (call, scope) => m.systemWords({ ...call, args: [call.args[1] ?? [], ...call.args.slice(3)] }, scope),
  "os.spawnlp": (call, scope) => m.systemWords({ ...call, args: [call.args[1] ?? [], ...call.args.slice(3)] }, scope),
  "os.spawnv": (call, scope) => m.spawns({ ...call, args: call.args.slice(1) }, scope),
  "os.spawnvp": (call, scope) => m.spawns({ ...call, args: call.args.slice(1) }, scope),
  "logging.basicConfig": (call, scope) => {
    if (call.keywords.has("filename")) m.writes(m.argument(99, "filename"))(call, scope);
  },
  "logging.FileHandler": m.writes(),
  "os.execl": m.systemWords,
  "os.execlp": m.systemWords,
  "os.posix_spawn": m.spawns,
  "os.kill": m.kills,
  "os.killpg": m.kills,
  "shutil.rmtree": m.deletes(m.argument(0, "path"), true),
  "shutil.copy": m.transfers(),
  "shutil.copy2": m.transfers(),
  "shutil.copyfile": m.transfers(),
  "shutil.copytree": m.transfers({ recursive: true }),
  "shutil.copymode": m.transfers(),
  "shutil.copyfileobj": m.nothing,
  "shutil.move": m.transfers({ moves: true, recursive: true }),
  "shutil.make_archive": m.writes(),
  "shutil.unpack_archive": m.writes(m.argument(1)),
  "shutil.chown": m.writes(),
  "subprocess.run": subprocess,
  "subprocess.call": subprocess,
  "subprocess.check_call": subprocess,
  "subprocess.check_output": subprocess,
  "subprocess.Popen": subprocess,
  "subprocess.getoutput": m.runsShell(),
  "subprocess.getstatusoutput": m.runsShell(),
  "asyncio.create_subprocess_shell": m.runsShell(),
  "asyncio.create_subprocess_exec": m.systemWords,
  "pty.spawn": subprocess,
  "tempfile.NamedTemporaryFile": m.nothing,
  "tempfile.mkdtemp": m.nothing,
  "tempfile.mkstemp": m.nothing,
  "tempfile.TemporaryDirectory": m.nothing,
  "urllib.request.urlopen": m.networkCall(),
  "urllib.request.urlretrieve": (call, scope) => {
    m.networkCall()(call, scope);
    if (call.args[1]) m.writes(m.argument(1))(call, scope);
  },
  "urllib.request.Request": m.networkCall(),
  "requests.get": m.networkCall(),
  "requests.head": m.networkCall(),
  "requests.post": m.networkCall(true),
  "requests.put": m.networkCall(true),
  "requests.patch": m.networkCall(true),
  "requests.delete": m.networkCall(true),
  "requests.request": m.networkCall(true, m.argument(1)),
  "httpx.get": m.networkCall(),
  "httpx.post": m.networkCall(true),
  "httpx.put": m.networkCall(true),
  "socket.socket": m.networkCall(true, () => undefined),
  "socket.create_connection": m.networkCall(true),
  "http.client.HTTPSConnection": m.networkCall(),
  "http.client.HTTPConnection": m.networkCall(),
  "smtplib.SMTP": m.networkCall(true),
  "ftplib.FTP": m.networkCall(true),
  "webbrowser.open": m.networkCall(),
  "dotenv.dotenv_values": envFile,
  dotenv_values: envFile,
  "dotenv.load_dotenv": m.nothing,
  load_dotenv: m.nothing,
  eval: m.evaluates,
  exec: m.evaluates,
  compile: m.loads,
  __import__: m.loads,
  "importlib.import_module": m.loads,
  "runpy.run_path": m.loads,
  "runpy.run_module": m.loads,
  "pickle.load": m.loads,
  "pickle.loads": m.loads,
};

/** Reflection reaches behind the vocabulary; these dunder names do not. */
const plainDunders = "name__|file__|version__|doc__|init__|main__|len__|str__|repr__|future__|all__|import__";
const forbidden = new RegExp(`^(__(?!${plainDunders})\\w+__|getattr|setattr|globals|locals|vars|delattr|modules)$`);

const modules = wordSet(`
  json re sys math cmath collections collections.abc itertools functools datetime time random string textwrap csv
  pprint hashlib base64 statistics decimal fractions operator typing dataclasses enum ast tokenize difflib struct
  binascii uuid locale platform argparse copy heapq bisect io os os.path pathlib glob fnmatch urllib urllib.parse
  urllib.request urllib.error html html.parser unicodedata inspect traceback tomllib tomli configparser secrets
  calendar zoneinfo abc contextlib warnings xml.etree.ElementTree xml xml.dom.minidom xml.sax yaml toml numpy pandas
  shutil subprocess tempfile codecs gzip bz2 lzma tarfile zipfile logging sqlite3 psycopg2 psycopg pymysql MySQLdb
  fileinput socket http.client http requests httpx asyncio pty signal threading queue array types numbers keyword
  token dis sysconfig site errno stat shlex getopt colorsys ipaddress mimetypes email importlib importlib.metadata
  importlib.util runpy pickle smtplib ftplib webbrowser shelve dotenv pwd grp getpass resource gc weakref __future__ bs4
  lxml matplotlib matplotlib.pyplot sklearn scipy torch tensorflow PIL jinja2 jsonschema tabulate rich tqdm
  packaging packaging.version dateutil pytz ssl select`);

const harmless = wordSet(`
  print len range str int float bool list dict set tuple frozenset bytes bytearray complex sorted reversed enumerate
  zip map filter sum min max abs round pow divmod any all iter next repr ascii chr ord hex oct bin format hash id
  type isinstance issubclass callable hasattr slice object super property staticmethod classmethod input exit quit
  help dir memoryview anext aiter breakpoint Exception ValueError TypeError KeyError IndexError RuntimeError
  SystemExit AssertionError FileNotFoundError NotImplementedError OSError StopIteration json.* re.* math.* cmath.*
  collections.* itertools.* functools.* datetime.* time.* random.* string.* textwrap.* csv.* pprint.* hashlib.*
  base64.* statistics.* decimal.* fractions.* operator.* typing.* dataclasses.* enum.* ast.* tokenize.* difflib.*
  struct.* binascii.* uuid.* locale.* platform.* argparse.* copy.* heapq.* bisect.* glob.* fnmatch.* urllib.parse.*
  html.* unicodedata.* inspect.* traceback.* tomllib.* tomli.* configparser.* secrets.* calendar.* zoneinfo.*
  contextlib.* warnings.* yaml.* toml.* numpy.* importlib.metadata.* importlib.util.find_spec sysconfig.* site.*
  shlex.* ipaddress.* mimetypes.* xml.etree.ElementTree.* bs4.* jsonschema.* tabulate.* packaging.* pytz.* errno.*
  stat.* getpass.getuser pwd.* grp.* keyword.* token.* dis.* pandas.read_csv pandas.DataFrame pandas.Series
  pandas.concat pandas.merge pandas.to_datetime ssl.create_default_context sys.exit sys.getsizeof
  sys.getrecursionlimit sys.setrecursionlimit sys.exc_info sys.stdout.write sys.stderr.write sys.stdin.read
  sys.stdin.readlines sys.stdin.readline sys.stdout.flush sys.getdefaultencoding sys.stdin.buffer.read
  sys.stdout.buffer.write os.getcwd os.listdir os.walk os.scandir os.stat os.lstat os.getenv os.environ.get
  os.getpid os.getppid os.cpu_count os.uname os.getlogin os.access os.fspath os.get_terminal_size os.urandom
  os.path.* os.sep os.close os.write os.read os.fdopen os.fsync os.pipe os.dup os.getuid os.isatty shutil.which
  shutil.disk_usage shutil.get_terminal_size pathlib.Path Path Path.home Path.cwd pathlib.PurePath pathlib.Path.cwd
  pathlib.Path.home io.StringIO io.BytesIO io.TextIOWrapper asyncio.run asyncio.sleep asyncio.gather
  threading.Thread queue.Queue signal.signal .append .extend .insert .pop .remove .clear .index .count .sort
  .reverse .copy .keys .values .items .get .update .setdefault .popitem .add .discard .union .intersection
  .difference .issubset .issuperset .symmetric_difference .split .rsplit .splitlines .strip .lstrip .rstrip .join
  .format .format_map .upper .lower .title .capitalize .swapcase .casefold .startswith .endswith .find .rfind
  .rindex .isdigit .isalpha .isalnum .isspace .isupper .islower .isnumeric .isdecimal .isidentifier .zfill .center
  .ljust .rjust .encode .decode .partition .rpartition .translate .maketrans .expandtabs .removeprefix .removesuffix
  .hex .fromhex .bit_length .to_bytes .from_bytes .is_integer .as_integer_ratio .read .readline .readlines .write
  .writelines .close .flush .seek .tell .fileno .group .groups .groupdict .start .end .span .match .search
  .fullmatch .findall .finditer .sub .subn .expand .exists .is_file .is_dir .is_symlink .stat .lstat .resolve
  .absolute .iterdir .glob .rglob .relative_to .with_suffix .with_name .with_stem .joinpath .as_posix .expanduser
  .samefile .owner .match .cwd .home .is_absolute .parents .isoformat .strftime .strptime .timestamp .date .time
  .now .today .utcnow .fromtimestamp .fromisoformat .total_seconds .weekday .isoweekday .astimezone .digest
  .hexdigest .writerow .writerows .writeheader .add_argument .parse_args .most_common .elements .appendleft .popleft
  .rotate .namelist .infolist .getinfo .getmembers .getnames .fetchall logging.* .fetchone .fetchmany .commit
  .rollback .cursor .iter .findtext .getroot .getchildren .tostring .select .select_one .find_all .get_text .head
  .tail .describe .info .groupby .round .mean .sum .min .max .std .shape .reshape .tolist .astype .dropna .fillna
  .reset_index .set_index .sort_values .value_counts .unique .nunique .iterrows .itertuples .to_string .to_dict
  .to_list .json .raise_for_status .dumps .loads .load .dump .isatty .getvalue .getbuffer .issue .cache_clear
  .communicate .wait .poll .run_until_complete .submit .result .is_relative_to .netloc .geturl .walk .parse
  .fromstring .section .sections .options .has_option .getint .getboolean .reconfigure .with_traceback .bit_count
  .put .get_nowait .join_thread .isocalendar .toordinal .timetuple .utctimetuple .utcoffset .tzname .dst .ctime
  .fromordinal .fromisocalendar .combine .quantize .as_tuple .limit_denominator .total .subtract
  .substitute .safe_substitute .hosts .subnets .supernet .overlaps ._replace ._asdict .itertext .getpath
  .size .isna .isnull .notna .notnull .argmax .argmin .argsort .cumsum .median .quantile .var .corr .nlargest
  .nsmallest .pivot_table .unstack .stack .melt .rolling .resample .agg .aggregate .idxmax .idxmin .between .isin
  .duplicated .drop_duplicates .sample .memory_usage .ravel .flatten .transpose .any .all .nonzero
  socket.gethostname email.message_from_string .get_payload`);

const keywords = wordSet(`
  and as assert async await break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield match case print_ True False None self cls`);

/** import a, b as c; from a import b as c; __import__("a") */
function imports(tokens: Token[], bindings: Bindings): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const statementStart =
      index === 0 || /^[;:\n]$/.test(tokens[index - 1]!.text) || tokens[index - 1]!.kind === "newline";
    if (
      token.kind === "name" &&
      token.text === "__import__" &&
      tokens[index + 1]?.text === "(" &&
      tokens[index + 2]?.kind === "string" &&
      tokens[index + 3]?.text === ")"
    ) {
      const module = tokens[index + 2]!.value ?? "?";
      load(module, bindings);
      out.push(...dotted(module));
      bindings.aliases.set(module.split(".")[0]!, module.split(".")[0]!);
      index += 3;
      continue;
    }
    if (!statementStart || token.kind !== "name" || !/^(import|from)$/.test(token.text)) {
      out.push(token);
      continue;
    }
    let end = index + 1;
    let depth = 0;
    while (end < tokens.length && (depth > 0 || (tokens[end]!.kind !== "newline" && tokens[end]!.text !== ";"))) {
      if (tokens[end]!.text === "(") depth++;
      if (tokens[end]!.text === ")") depth--;
      end++;
    }
    const words = tokens
      .slice(index + 1, end)
      .filter((part) => part.kind !== "newline" && part.text !== "(" && part.text !== ")");
    if (token.text === "import") for (const clause of clauses(words)) bind(clause, "", bindings);
    else {
      const at = words.findIndex((word) => word.text === "import");
      const module = words
        .slice(0, Math.max(at, 0))
        .map((word) => word.text)
        .join("");
      load(module, bindings);
      const names = clauses(words.slice(at + 1));
      const members = names.map((clause) => clause.split(" as ")[0]!);
      bindings.members ??= new Map();
      bindings.members.set(module, [...(bindings.members.get(module) ?? []), ...members]);
      for (const clause of names) bind(clause, module, bindings);
    }
    index = end - 1;
  }
  return out;
}

function clauses(words: readonly Token[]): string[] {
  return words
    .map((word) => (word.text === "as" ? " as " : word.text))
    .join("")
    .split(",")
    .filter(Boolean);
}

function bind(clause: string, from: string, bindings: Bindings): void {
  const [name = "", alias] = clause.split(" as ");
  if (!from) load(name, bindings);
  const full = from ? `${from}.${name}` : name;
  const target = full.replace(/^pathlib\.(Path|PurePath)$/, "Path").replace(/^posixpath|^ntpath/, "os.path");
  if (alias) bindings.aliases.set(alias, target);
  else if (from) bindings.aliases.set(name, target);
  else bindings.aliases.set(name.split(".")[0]!, name.split(".")[0]!);
}

function load(module: string, bindings: Bindings): void {
  if (!modules.has(module) && !modules.has(module.split(".")[0]!)) bindings.unknownModules.push(module || "a module");
}

/** `pkg.mod` is pkg/mod.py or a package; each dot in front of a name is one folder up but the first. */
function moduleFiles(module: string, members: readonly string[]): string[][] {
  const [, dots = "", rest = ""] = /^(\.*)([\w.]*)$/.exec(module) ?? [];
  if (dots === "" && rest === "") return [];
  const folder = dots === "" ? "" : dots.length === 1 ? "./" : "../".repeat(dots.length - 1);
  const path = folder + rest.replaceAll(".", "/");
  const own = rest === "" ? [[`${path}__init__.py`]] : [[`${path}.py`, `${path}/__init__.py`]];
  const inside = rest === "" ? path : `${path}/`;
  return [
    ...own,
    ...members
      .slice(0, 32)
      .filter((name) => /^\w+$/.test(name))
      .map((name) => [`${inside}${name}.py`]),
  ];
}

const dotted = (name: string): Token[] =>
  name.split(".").flatMap((part, index): Token[] =>
    index
      ? [
          { kind: "op", text: "." },
          { kind: "name", text: part },
        ]
      : [{ kind: "name", text: part }],
  );

const join = (parts: string[]) => parts.reduce((left, right) => (right.startsWith("/") ? right : `${left}/${right}`));

const vocabulary: Vocabulary = {
  language: "Python",
  id: "python",
  dialect: {
    lineComments: ["#"],
    quotes: { plain: "'\"", computed: "" },
    triple: true,
    prefixes: true,
    interpolation: "{",
  },
  keywords,
  dots: new Set(["."]),
  meanings,
  harmless,
  modules,
  globals: wordSet(
    "urllib requests base64 codecs binascii bytes os sys shutil subprocess pathlib Path json re io datetime",
  ),
  imports,
  moduleFiles,
  environment: wordSet("os.environ os.getenv"),
  texts: {
    'os.environ["HOME"]': "~",
    "os.environ['HOME']": "~",
    'os.getenv("HOME")': "~",
    "os.getenv('HOME')": "~",
  },
  folds: {
    Path: join,
    "pathlib.Path": join,
    "os.path.join": join,
    "os.path.expanduser": ([path = ""]) => path,
    "shlex.split": ([text = ""]) => text,
    "shlex.quote": ([text = ""]) => text,
    "os.path.abspath": ([path = ""]) => path,
    str: ([text = ""]) => text,
    "Path.home": () => "~",
    "pathlib.Path.home": () => "~",
    "base64.b64decode": m.base64,
    "base64.urlsafe_b64decode": m.base64,
    b64decode: m.base64,
    "bytes.fromhex": m.hex,
    "binascii.unhexlify": m.hex,
    "codecs.decode": ([text = "", how = ""]) =>
      /rot/.test(how) ? m.rot13([text]) : /hex/.test(how) ? m.hex([text]) : m.base64([text]),
  },
  forbidden,
};

export const python = (text: string, emit: Emit): void => analyseWith(vocabulary, text, emit);
