// Disks, partitions, file systems, volumes.
// Invariant: what formats, wipes or repartitions a device is a proven disaster unless the call only shows or simulates.
import type { Hazard } from "../effects.js";
import { parse, syntax } from "../spec/options.js";
import type { Emit, Invocation, ToolFamily } from "../tool.js";
import { asksHelp } from "./table.js";

const say = (emit: Emit, level: Hazard["level"], id: string, reason: string) =>
  emit.hazard({ class: "disk", level, id }, reason);

const flags = (call: Invocation) => call.args.map((arg) => arg.value ?? "");

const mkfs: ToolFamily = {
  names: [
    "mkfs",
    ...[
      "ext2",
      "ext3",
      "ext4",
      "xfs",
      "btrfs",
      "vfat",
      "fat",
      "ntfs",
      "exfat",
      "f2fs",
      "minix",
      "msdos",
      "cramfs",
      "bfs",
      "jfs",
      "reiserfs",
      "udf",
      "erofs",
      "zfs",
      "hfsplus",
    ].map((kind) => `mkfs.${kind}`),
    "mke2fs",
    "mkswap",
    "mkntfs",
    "mkdosfs",
    "newfs",
    "newfs_apfs",
    "newfs_hfs",
    "wipefs",
    "blkdiscard",
    "mkudffs",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const dry =
      call.name === "wipefs"
        ? !flags(call).some((flag) => /^(-[a-zA-Z]*[ao]|--all|--offset)/.test(flag)) ||
          flags(call).some((flag) => /^(-n|--no-act)$/.test(flag))
        : flags(call).some((flag) => /^(-n|-N|--no-act|--dry-run|-V)$/.test(flag));
    const given = parse(call.args, syntax("t|type= L= b= O= E= m= i= I= U= T= F f q o|offset="));
    const target = given.operands.find((word) => word.value?.startsWith("/dev/")) ?? given.operands[0];
    if (dry || (!target && !given.unsure)) return;
    const image = target?.value !== undefined && !target.value.startsWith("/dev/");
    if (image && target)
      return emit.write(target, `${call.name} formats the image`, {
        hazard: { class: "disk", level: 1, id: "format-image" },
      });
    say(
      emit,
      3,
      call.name.startsWith("mk") || call.name.startsWith("newfs") ? "mkfs" : call.name,
      `${call.name} destroys what is on ${target?.source ?? "a device"}`,
    );
  },
};

const partitions: ToolFamily = {
  names: [
    "fdisk",
    "gdisk",
    "sgdisk",
    "sfdisk",
    "cfdisk",
    "cgdisk",
    "parted",
    "partprobe",
    "gparted",
    "gpart",
    "fixparts",
    "delpart",
    "addpart",
    "resizepart",
  ],
  lower(call, emit) {
    if (asksHelp(call) || call.name === "partprobe") return;
    const words = flags(call);
    const shows =
      words.some((word) =>
        /^(-l|--list|-p|--print|print|-d|--dump|-J|--json|-F|-V|--verify|--show-size|-g|-i|--info)$/.test(word),
      ) && !(call.name === "sgdisk" && words.includes("-d"));
    const dry = words.some((word) => /^(-n|--no-act|-P|--pretend)$/.test(word));
    if (shows || dry || words.length === 0) return;
    say(
      emit,
      3,
      "partition",
      `${call.name} changes the partitions of ${words.find((word) => word.startsWith("/dev/")) ?? "a device"}`,
    );
  },
};

const volumes: ToolFamily = {
  names: [
    "lvm",
    "lvremove",
    "lvreduce",
    "lvresize",
    "vgremove",
    "vgreduce",
    "pvremove",
    "pvcreate",
    "lvcreate",
    "vgcreate",
    "lvextend",
    "lvs",
    "vgs",
    "pvs",
    "lvdisplay",
    "vgdisplay",
    "pvdisplay",
    "mdadm",
    "dmsetup",
    "cryptsetup",
    "zpool",
    "zfs",
    "btrfs",
    "xfs_admin",
    "tune2fs",
    "resize2fs",
    "e2fsck",
    "fsck",
    "debugfs",
    "badblocks",
    "hdparm",
    "nvme",
    "smartctl",
    "losetup",
    "diskutil",
    "hdiutil",
    "diskpart",
    "bcache",
    "ceph",
    "rbd",
    "gluster",
    "multipath",
    "fstrim",
    "swapoff",
    "swapon",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const words = flags(call);
    const operands = words.filter((word) => !word.startsWith("-"));
    const verb = call.name === "lvm" ? (operands[0] ?? "") : call.name;
    const [first = "", second = ""] = operands;
    if (
      words.some((word) => /^(--test|-t|-n|--dry-run|--dryrun)$/.test(word)) &&
      /^(lv|vg|pv|zfs|zpool|btrfs|lvm)/.test(call.name)
    )
      return;
    if (/^(lvremove|vgremove|pvremove|lvreduce|vgreduce)$/.test(verb))
      return say(emit, 3, verb, `${verb} destroys a volume`);
    if (verb === "pvcreate") return say(emit, 3, "pvcreate", "pvcreate overwrites a device");
    if (
      verb === "mdadm" &&
      words.some((word) => /^(--zero-superblock|--remove|--fail|--create|-C|-r|-f|--stop|-S)$/.test(word))
    )
      return say(emit, 3, "mdadm", "mdadm changes an array");
    if (verb === "dmsetup" && /^(remove|remove_all|wipe_table|create|load)$/.test(first))
      return say(emit, 3, "dmsetup", `dmsetup ${first}`);
    if (
      verb === "cryptsetup" &&
      /^(luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|format)$/.test(first)
    )
      return say(emit, 3, "cryptsetup", `cryptsetup ${first}`);
    if (verb === "zpool" && /^(destroy|labelclear|create|remove|detach)$/.test(first))
      return say(emit, 3, `zpool-${first}`, `zpool ${first}`);
    if (verb === "zfs" && /^(destroy|rollback)$/.test(first)) return say(emit, 3, `zfs-${first}`, `zfs ${first}`);
    if (verb === "btrfs" && /^(delete|del)$/.test(second))
      return say(emit, 3, "btrfs-delete", `btrfs ${first} ${second}`);
    if (
      verb === "diskutil" &&
      /^(erase|partition|zero|random|secureErase|reformat|deleteVolume|apfs|eraseDisk|eraseVolume)/i.test(first) &&
      !(first === "apfs" && /^(list|listUsers|listSnapshots)$/.test(second))
    )
      return say(emit, 3, "diskutil-erase", `diskutil ${first}`);
    if (verb === "hdiutil" && /^(erase|burn|compact|resize)/.test(first))
      return say(emit, 2, "hdiutil", `hdiutil ${first}`);
    if (verb === "badblocks" && words.some((word) => /^-\w*w/.test(word)))
      return say(emit, 3, "badblocks-write", "badblocks -w overwrites a device");
    if (
      verb === "hdparm" &&
      words.some((word) => /security-erase|--trim-sector|--write-sector|--make-bad-sector|--dco/.test(word))
    )
      return say(emit, 3, "hdparm-erase", "hdparm erases a disk");
    if (verb === "nvme" && /^(format|sanitize|write|write-zeroes|delete-ns|dsm|security-send)$/.test(first))
      return say(emit, 3, `nvme-${first}`, `nvme ${first}`);
    if (verb === "diskpart") return say(emit, 3, "diskpart", "diskpart changes disks");
    if (/^(ceph|rbd|gluster)$/.test(verb) && operands.some((word) => /^(rm|delete|purge|destroy|remove)$/.test(word)))
      return say(emit, 3, `${verb}-delete`, `${verb} deletes`);
    if (/^(fsck|e2fsck)$/.test(verb) && !words.some((word) => /^-\w*n/.test(word)))
      return say(emit, 2, "fsck", `${verb} repairs a file system`);
    if (
      /^(tune2fs|resize2fs|xfs_admin|lvresize|lvextend|lvcreate|vgcreate|debugfs|swapoff|bcache)$/.test(verb) &&
      !words.some((word) => /^-l$|^-R$/.test(word))
    )
      say(emit, 2, verb, `${verb} changes a file system`);
  },
};

const mounting: ToolFamily = {
  names: [
    "mount",
    "umount",
    "fusermount",
    "sshfs",
    "pivot_root",
    "swaplabel",
    "mount.nfs",
    "mount.cifs",
    "udisksctl",
    "bindfs",
  ],
  lower(call, emit) {
    if (asksHelp(call) || call.args.length === 0) return;
    const words = flags(call);
    if (
      call.name === "mount" &&
      words.every((word) => /^(-l|-t|-v|\w+)$/.test(word)) &&
      words.length < 3 &&
      !words.some((word) => word.startsWith("/"))
    )
      return;
    say(emit, 2, call.name, `${call.name} changes what is mounted`);
  },
};

/** Reads of the tables only. */
const quiet: ToolFamily = {
  names: ["lsblk", "blkid", "findmnt", "lsscsi", "lsusb", "lspci", "iostat", "e2label", "dumpe2fs", "xfs_info"],
  lower: () => undefined,
};

export const disks = [mkfs, partitions, volumes, mounting, quiet];
