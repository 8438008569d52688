// Commands behind another root: what they reach of this machine goes by its own name here.
import { commandTable } from "../testing.js";

const inside = (...effects: string[]) => ["exec docker", "network alpine", ...effects];

commandTable("mounts", [
  ["docker run -v /p:/w alpine cat /w/a", inside("read a")],
  ["docker run -v /p:/w -w /w alpine rm b", inside("delete b")],
  ["docker run -v /p/d:/w alpine sh -c 'cd /w; echo x > c'", inside("write d/c")],
  ["docker run -v /p:/w -v /srv:/w/s alpine rm /w/s/a", inside("delete /srv/a")],
  ["docker run -v /p:/w:ro alpine rm -r /w/a", inside("read . recursive")],
  ["docker run --mount type=bind,src=/p/d,dst=/w alpine rm /w/a", inside("delete d/a")],
  ["docker run -v /p/d:/w alpine rm -rf /", inside("delete d recursive")],
  ["docker run -v /p/d:/w alpine rm -rf /w/*", inside("delete d/* recursive")],
  ["docker run -v /p/d:/w alpine rm -rf /var/cache", inside()],
  [
    "docker run -v ~/.ssh:/root/.ssh alpine sh -c 'cat ~/.ssh/id_rsa'",
    inside(
      "read /home/u/.ssh recursive",
      "exec docker !credential-read:2:docker-credential-mount",
      "read /home/u/.ssh/id_rsa",
    ),
  ],
  ["docker run -v data:/d alpine rm -r /d", inside("delete /var/lib/docker/volumes/data recursive")],
  ["docker run alpine rm -rf /etc", inside()],
  ["docker run -v /p:/w alpine frobnicate /w", inside("unknown")],
  ["docker run -v /p:/w:ro alpine frobnicate /w", inside("read . recursive")],
]);

const yaml = "services:\n  web:\n    volumes:\n      - .:/app\n      - ./lib:/lib:ro\n      - data:/var/lib\n";
const file = { readFile: (path: string) => (path === "/p/compose.yaml" ? yaml : undefined) };

commandTable("compose", [
  ["docker compose run -v /p/d:/w web rm /w/a", ["network web", "delete d/a"]],
  ["docker compose exec web rm -r /app/src", ["network web", "delete src recursive"], file],
  ["docker compose exec -w /app web rm a", ["network web", "delete a"], file],
  ["docker compose exec web rm /lib/a", ["network web", "exec ? !mass-delete:3:delete-system"], file],
]);

commandTable("another root", [
  ["chroot d rm -r /etc/x", ["privilege", "delete d/etc/x recursive"]],
  ["chroot d sh -c 'echo x > /etc/x'", ["privilege", "write d/etc/x"]],
  ["chroot $x rm a", ["privilege", "unknown", "delete a"]],
  ["docker run -v /:/h alpine chroot /h rm /etc/x", inside("exec docker !system:3:docker-root-mount", "delete /etc/x")],
]);

commandTable("bwrap", [
  ["bwrap --bind /p/d /w --ro-bind /usr /usr rm /w/a", ["delete d/a"]],
  ["bwrap --ro-bind / / rm /etc/x", []],
]);
