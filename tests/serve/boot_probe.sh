# boot_probe.sh — what test_operations.py wants to know of the unit, asked beside it (boot.sh): one line each
url=http://127.0.0.1:8780
wait_for() {
  tries=60
  until curl -sf "$url/readyz"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || exit 1
    sleep 0.25
  done
}
post() {
  curl -s -H 'Content-Type: application/json' "$url/v1/sessions$1" -d "$2"
}
wait_for
session=$(post "" '{"learner":"ofw-ada","domain":"simplex:dim=2","options":{"delay":3}}' | sed 's/.*"id":"\([0-9a-f]*\)".*/\1/')
post "/$session/decide" '{"round":1}'
systemctl show -p User -p DynamicUser -p NoNewPrivileges ofw-serve
systemctl restart ofw-serve
wait_for
curl -s "$url/v1/sessions/$session/decision"
systemctl stop ofw-serve
systemctl show -p Result -p ExecMainStatus -p ActiveState ofw-serve
echo done
systemctl --no-block --force exit
