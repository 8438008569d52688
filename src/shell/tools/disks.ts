// Disks, partitions, file systems, volumes.
// Invariant: what formats, wipes or repartitions a device is a proven disaster unless the call only shows or simulates.
import { tools } from "../spec/interpret.js";

export const disks = tools(
  "disks",
  `
tool mkfs mkfs.{ext2,ext3,ext4,minix,cramfs,bfs,jfs,reiserfs,udf,erofs,zfs,hfsplus} mke2fs mkswap newfs newfs_apfs
tool newfs_hfs mkudffs
  options t|type= L|label= b= O= E= m= i= I= U= T= g= N= J= e= d= r= F f q v c V o|creator= p= s= l= u= verbose
  dry n no-act dry-run
  ~/dev/* or ~? : !mkfs
  #1+ : write first !format-image "formats the image"
  otherwise quiet
tool mkfs.xfs mkfs.f2fs
  options L|label= l= b= d= i= m= n= p= r= s= f q K V a= o= O= t= w= z= e= E= g= c=
  dry N
  ~/dev/* or ~? : !mkfs
  #1+ : write first !format-image "formats the image"
  otherwise quiet
tool mkfs.btrfs
  options L|label= n|nodesize= s|sectorsize= d|data= m|metadata= O|features= R= r|rootdir= U|uuid= b|byte-count=
    f|force q|quiet K|nodiscard v|verbose M|mixed
  ~/dev/* or ~? : !mkfs
  #1+ : write first !format-image "formats the image"
  otherwise quiet
tool mkfs.{vfat,fat,msdos,exfat} mkdosfs
  options n|volume-label= L|label= i= F= f= s= S= r= R= b= h= m= M= D= g= C a A c v I invariant U= q|quiet
  ~/dev/* or ~? : !mkfs
  #1+ : write first !format-image "formats the image"
  otherwise quiet
tool mkfs.ntfs mkntfs
  options L|label= c|cluster-size= s|sector-size= p= H= S= z= F|force f|fast|quick|Q C I U T|zero-time v|verbose
    q|quiet
  dry n|no-action
  ~/dev/* or ~? : !mkfs
  #1+ : write first !format-image "formats the image"
  otherwise quiet
tool wipefs
  options a|all o|offset= t|types= b|backup=? f|force i|noheadings J|json O|output= p|parsable q|quiet lock=?
  dry n|no-act
  --all|offset : !wipefs
  otherwise quiet
tool blkdiscard
  options o|offset= l|length= p|step= f|force s|secure z|zeroout v|verbose
  ~/dev/* or ~? : !blkdiscard
  #1+ : write first !format-image "empties the image"
  otherwise quiet

tool fdisk cfdisk gdisk cgdisk fixparts
  options b|sector-size= B|protect-boot c|compatibility=? L|color=? l|list x|list-details n|noauto-pt o|output=
    t|type= u|units=? s|getsz bytes w|wipe= W|wipe-partitions= V|version C= H= S= lock=? a h z|zero r|read-only
  --list|list-details|getsz|read-only : quiet
  #0 : quiet
  otherwise !partition
tool sfdisk
  options A|activate d|dump l|list F|list-free J|json o|output= s|show-size T|list-types V|verify g|show-geometry
    r|reorder N|partno= a|append b|backup O|backup-file=write f|force delete=? w|wipe= W|wipe-partitions= X|label=
    Y|label-nested= q|quiet u|unit= no-reread no-tell-kernel part-uuid part-label part-type part-attrs disk-id
    relocate=
    move-data=? lock=? color=? bytes backup-pt-sectors B v|version
  dry n|no-act
  --delete|append|reorder|part-type|part-label|part-uuid|part-attrs|relocate|move-data : !partition
  --dump|list|list-free|json|show-size|list-types|verify|show-geometry : quiet
  #0 : quiet
  otherwise !partition
tool sgdisk
  options a|set-alignment= A|attributes= b|backup=write B|byte-swap-name= c|change-name= C|recompute-chs d|delete=
    D|display-alignment e|move-second-header E|end-of-largest f|first-in-largest F|first-aligned-in-largest g|mbrtogpt
    G|randomize-guids h|hybrid= i|info= j|move-main-table= k|move-backup-table= l|load-backup=read L|list-types
    m|gpttombr=? n|new= N|largest-new= o|clear O|print-mbr p|print r|transpose= R|replicate= s|sort S|resize-table=
    t|typecode= T|transform-bsd= u|partition-guid= U|disk-guid= v|verify V|version z|zap Z|zap-all
  dry P|pretend
  --delete|new|largest-new|clear|zap|zap-all|load-backup|replicate|mbrtogpt|gpttombr|typecode|resize-table :
    !partition
  --print|print-mbr|info|verify|list-types|display-alignment|end-of-largest|first-in-largest|backup : quiet
  #0 : quiet
  otherwise !partition
tool parted
  options s|script l|list m|machine j|json a|align= f|fix v|version
  --list : quiet
  * ~mklabel|mktable|rm|mkpart|resizepart|rescue|set|toggle|disk_set|disk_toggle|name|type|move|cp|mkfs : !partition
  * print|unit|align-check|help|quit : quiet
  #0 : quiet
  otherwise !partition
tool gparted gpart delpart addpart resizepart
  @gpart ~show|list|status|backup : quiet
  #0 : quiet
  otherwise !partition
tool partprobe
  otherwise quiet

tool lvremove vgremove pvremove lvreduce vgreduce
  options y|yes f|force L|size= l|extents= n|nofsck r|resizefs a|all v|verbose q|quiet A|autobackup= S|select=
    config= reportformat= removemissing nolocking noudevsync d|debug
  dry t|test
  #0 !--select !--removemissing !--all : quiet
  otherwise !volume-remove({name})
tool pvcreate
  options y|yes f|force M|metadatatype= u|uuid= Z|zero= restorefile=read dataalignment= labelsector=
    setphysicalvolumesize=
    metadatasize= pvmetadatacopies= bootloaderareasize= norestorefile config= v|verbose q|quiet
  dry t|test
  otherwise !pvcreate
tool lvcreate lvresize lvextend vgcreate
  options n|name= L|size= l|extents= T|thin s|snapshot m|mirrors= i|stripes= I|stripesize= r|resizefs y|yes f|force
    type= V|virtualsize= p|permission= Z|zero= W|wipesignatures= c|chunksize= cachevol= cachepool= addtag= alloc=
    v|verbose
  dry t|test
  #0 : quiet
  otherwise !filesystem-change({name})
tool lvm
  dry t|test
  lvremove|vgremove|pvremove|lvreduce|vgreduce : !volume-remove({1})
  pvcreate : !pvcreate
  lvcreate|lvresize|lvextend|vgcreate : !filesystem-change({1})
  lvs|vgs|pvs|lvdisplay|vgdisplay|pvdisplay|lvscan|vgscan|pvscan|dumpconfig|lvmconfig|fullreport|formats|segtypes :
    quiet
  otherwise unknown
tool lvs vgs pvs lvdisplay vgdisplay pvdisplay smartctl fstrim
  otherwise quiet
tool losetup
  options a|all l|list j|associated= o|offset= O|output= f|find J|json n|noheadings d|detach D|detach-all c|set-capacity
    P|partscan r|read-only b|sector-size= sizelimit= show v|verbose direct-io=? raw L|nooverlap
  --all|list|associated or #0 !--detach-all : quiet
  otherwise !mount({name})
tool swapon
  options s|summary show=? a|all d|discard=? e|ifexists f|fixpgsz L= U= o|options= p|priority= v|verbose noheadings raw
    bytes
  --summary|show or #0 !--all : quiet
  otherwise !mount({name})
tool multipath
  options v= p= b= l ll t T d c C q i u U
  --l|ll|t|T|d|c|C|u|U or #0 !--F !--f !--r !--w !--W !--a : quiet
  otherwise unknown
tool mdadm
  options C|create A|assemble B|build F|follow|monitor G|grow I|incremental D|detail E|examine Q|query
    K|zero-superblock
    a|add r|remove f|fail|set-faulty S|stop R|run o|readonly w|readwrite s|scan v|verbose q|quiet b|brief Y|export
    l|level= n|raid-devices= x|spare-devices= c|config= N|name= u|uuid= z|size= metadata= chunk= layout= homehost=
    bitmap=
    t|test p= W|wait dump= restore= action= re-add replace with= force assume-clean
  --zero-superblock|remove|fail|create|stop|build|grow|replace : !mdadm
  --detail|examine|query|monitor|scan|wait|test : quiet
  #0 : quiet
  otherwise unknown
tool dmsetup
  options c|C|columns o|options= O|sort= j|major= m|minor= u|uuid= n|notable r|readonly f|force S|select= table=
    target=
    v|verbose y|yes inactive tree noheadings separator= addnodeoncreate addnodeonresume retry deferred
  remove|remove_all|wipe_table|create|load|reload|clear|suspend|rename : !dmsetup
  ls|info|status|table|deps|targets|version|udevcookies|stats|splitname|help|report : quiet
  otherwise unknown
tool cryptsetup
  options c|cipher= h|hash= s|key-size= type= d|key-file=read S|key-slot= header=write l|keyfile-size=
    new-keyfile-size=
    keyfile-offset= new-keyfile-offset= master-key-file|volume-key-file= o|offset= p|skip= b|size= i|iter-time=
    t|timeout=
    T|tries= align-payload= sector-size= pbkdf= pbkdf-memory= pbkdf-parallel= pbkdf-force-iterations= uuid= label=
    subsystem= integrity= luks2-metadata-size= luks2-keyslots-size= priority= token-id= header-backup-file=
    resilience=
    key-description= device-size= q|batch-mode y|verify-passphrase v|verbose r|readonly debug force-password
    allow-discards persistent test-passphrase shared deferred cancel-deferred refresh unbound dump-master-key json
  luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey|reencrypt|format|convert|luksHeaderRestore : !cryptsetup
  status|luksDump|isLuks|luksUUID|benchmark|repair|bitlkDump|tcryptDump|fvault2Dump : quiet
  open|close|luksOpen|luksClose|plainOpen|create|remove|resize|refresh|luksSuspend|luksResume|tcryptOpen : quiet
  luksHeaderBackup : write --header-backup-file
  otherwise unknown
tool zpool
  options o= O= R= d= m= t= s|secure T= c= g L P p v H j x f a e D F N w i
  dry n|dryrun
  destroy|labelclear|create|remove|detach : !pool-change({path})
  list|status|get|iostat|history|events|version|wait : quiet
  otherwise unknown
tool zfs
  options o= O= t= s= S= d= x= V= b= H p r R f v i e k u c U j
  dry n|dryrun
  destroy|rollback : !dataset-destroy({path})
  list|get|diff|version|holds|userspace|groupspace|projectspace|allow|help : quiet
  otherwise unknown
tool btrfs
  options q|quiet v|verbose c|commit-after C|commit-each i= r o= f t= s a p u human-readable iec si raw format=
  dry n|dry-run
  * delete|del|remove : !btrfs-delete
  subvolume|sub list|show|get-default|find-new : quiet
  filesystem|fi show|df|usage|du|sync|label : quiet
  device|dev scan|stats|usage|ready : quiet
  balance|scrub|quota|qgroup|property|replace status|show|get|list : quiet
  inspect-internal|version : quiet
  otherwise unknown
tool diskutil
  style any-case
  apfs|ap list|listUsers|listSnapshots|listCryptoUsers|listVolumeGroups : quiet
  erase*|partition*|zero*|random*|secureErase*|reformat*|deleteVolume*|apfs|ap : !diskutil-erase
  list|info|information|activity|listFilesystems|verifyVolume|verifyDisk : quiet
  mount|unmount|mountDisk|unmountDisk|umount|umountDisk|eject : quiet
  otherwise unknown
tool hdiutil
  style one-dash
  options o= format= size= fs= volname= srcfolder=read mountpoint= encryption type= layout= nobrowse readonly
    stdinpass plist quiet verbose debug ov
  erase*|burn*|compact*|resize* : !hdiutil
  info|imageinfo|verify|checksum|attach|mount|detach|eject|unmount|isencrypted|plugins|pmap|create|convert : quiet
  otherwise unknown
tool badblocks
  options b= c= d= e= i=read o=write p= t= x= f n s v w X B
  --w : !badblocks-write
  otherwise quiet
tool hdparm
  options security-erase= security-erase-enhanced= user-master= security-set-pass= security-unlock= security-disable=
    trim-sector-ranges= trim-sector-ranges-stdin write-sector= repair-sector= make-bad-sector= read-sector=
    dco-restore dco-freeze dco-setmax= dco-identify yes-i-know-what-i-am-doing please-destroy-my-drive I|i g t T v C q
  --security-erase|security-erase-enhanced|trim-sector-ranges|trim-sector-ranges-stdin : !hdparm-erase
  --write-sector|repair-sector|make-bad-sector|dco-restore|dco-setmax|dco-freeze|dco-identify : !hdparm-erase
  --N|fwdownload*|security-set-pass|security-unlock|security-disable : unknown "changes the drive for good"
  otherwise quiet
tool nvme
  options n|namespace-id= s|ses= l|lbaf= o|output-format= b|block-size= f|force H|human-readable v|verbose a= d|data=
    c|block-count= z|data-size= t|timeout= p= i= m= r|reset
  format|sanitize|write|write-zeroes|write-uncor|delete-ns|dsm|security-send|copy|zns : !nvme-erase({path})
  list*|id-*|get-*|show-*|*-log|read|compare|flush|verify|version|ns-descs|discover : quiet
  otherwise unknown
tool diskpart
  otherwise !diskpart
tool ceph rbd gluster
  ~rm|delete|purge|destroy|remove : !storage-delete({name}-delete)
  status|-s|health|df|versions|quorum_status|ls|list|info|showmapped|du : quiet
  * status|ls|list|info|tree|df|stat|get|dump|show : quiet
  otherwise unknown
tool fsck e2fsck
  options a p y f v c V T R M A r k D b= B= j= l=read L=read z=write E= C= t|type= s
  dry n N
  otherwise !fsck
tool debugfs
  options R= f=read w c n v V b= s= i d= z= D
  --R !--w : quiet
  otherwise !filesystem-change({name})
tool tune2fs resize2fs xfs_admin swapoff bcache
  options L= U= c= i= m= O= o= E= e= g= u= J= j C= M= r= T= Q= z= l f p P F d b s a|all v|verbose
  --l : quiet
  otherwise !filesystem-change({name})

tool mount
  options t|types= o|options= L|label= U|uuid= T|fstab=read a|all B|bind R|rbind M|move r|read-only w|rw|read-write
    v|verbose n|no-mtab f|fake l|show-labels s i source= target= target-prefix= N|namespace= O|test-opts= m|mkdir=?
    make-shared make-private make-slave make-rprivate
  #0 !--all : quiet
  otherwise !mount({name})
tool umount fusermount sshfs pivot_root swaplabel mount.nfs mount.cifs udisksctl bindfs
  @udisksctl ~status|info|dump|monitor : quiet
  otherwise !mount({name})
tool e2label
  #2+ : !filesystem-change
  otherwise quiet
tool lsblk blkid findmnt lsscsi lsusb lspci iostat dumpe2fs xfs_info
  otherwise quiet
`,
);
