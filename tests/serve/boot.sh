#!/bin/sh
# boot.sh OUT OFW UNIT CGROUP — systemd as process 1 of namespaces of its own, over a root that is thrown away, with the unit UNIT.
#
# The root is the machine's own below an empty layer, so nothing that systemd does there lasts. boot_probe.sh runs beside the unit
# and leaves what it saw in OUT/probe.log. CGROUP is a group of the hierarchy 'systemd' for it alone. OUT/begun: all was made ready.
set -e
out=$1 ofw=$2 unit=$3 cgroup=$4
if [ "$5" != inside ]; then
  echo $$ > "$cgroup/cgroup.procs"
  exec unshare --fork --pid --mount --uts --ipc --net --cgroup --kill-child --propagation private sh "$0" "$out" "$ofw" "$unit" "$cgroup" inside
fi
probe=$(dirname "$0")/boot_probe.sh

mount -t tmpfs tmpfs /mnt
mkdir /mnt/changes /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/changes,workdir=/mnt/work /mnt/root
cd /mnt/root
mkdir -p out before
mount --bind "$out" out
cp "$probe" out/probe.sh
cp "$ofw" usr/bin/ofw
cp "$unit" etc/systemd/system/ofw-serve.service
mkdir -p etc/systemd/system/ofw-serve.service.d
printf '[Unit]\nDefaultDependencies=no\n' > etc/systemd/system/ofw-serve.service.d/alone.conf     # no disks, no console
printf '[Unit]\nDefaultDependencies=no\nWants=ofw-serve.service\nAfter=ofw-serve.service\n[Service]\nType=oneshot\nExecStart=/bin/sh /out/probe.sh\nStandardOutput=file:/out/probe.log\nStandardError=file:/out/probe.err\n' \
  > etc/systemd/system/probe.service

mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
while read -r name major minor; do
  mknod -m 666 "dev/$name" c "$major" "$minor"
done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
mkdir dev/pts dev/shm dev/mqueue dev/hugepages
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

pivot_root . before
umount -l /before
: > /out/begun
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=probe.service --log-target=null
