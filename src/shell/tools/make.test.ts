import { makers } from "./make.js";
import { table } from "./tool-table.js";

const Makefile = `OUT := dist
CMD ?= rm -rf
all: build
build: deps ## docs
	@tsc -p . --outDir $(OUT)
deps:
	npm ci
wipe:
	-$(CMD) $(OUT)
	for f in *.o; do rm $$f; done
dyn:
	rm -rf $(UNKNOWN)
%.o: %.c
	cc -c $< -o $@
sh:
	echo $(shell rm x)
`;
const files = { Makefile };
const justfile = "default: test\ntest:\n    npm test\nwipe dir:\n    rm -rf {{dir}}\n";

table("make", makers, [
  ["make", ["shell npm ci", "shell tsc -p . --outDir dist"], { files }],
  ["make wipe", ["shell rm -rf dist", "shell for f in *.o; do rm $f; done"], { files }],
  ["make wipe CMD='git clean -fdx' OUT=", ["shell git clean -fdx ", "shell for f in *.o; do rm $f; done"], { files }],
  ["make dyn", ['shell rm -rf "$__make_UNKNOWN"'], { files }],
  ["make sh", ["shell rm x", 'shell echo "$__unresolved"'], { files }],
  ["make -n wipe", [], { files }],
  ["make -C sub", ["shell rm x in sub"], { files: { "sub/Makefile": "a:\n\trm x\n" } }],
  ["make -f -", ["shell rm x"], { stdin: { kind: "text", text: "a:\n\trm x\n" } }],
  ["make test", ["exec make"]],
  ["make strange", ["exec make", "unknown"]],
  ["make --version", []],
  ["just", ["shell npm test"], { files: { justfile } }],
  ["just wipe x", ['shell rm -rf "$__unresolved"'], { files: { justfile } }],
  ["just --list", []],
  ["task build", ["exec task"]],
]);
