#!/bin/sh
# client.sh — paces a day's budget over three channels with 'ofw serve': curl and awk
#
#     client.sh [URL [ROUNDS]] [--delete]
#
# URL is http://127.0.0.1:8780 and ROUNDS is 288 unless given; a token is read from OFW_TOKEN. The problem is that of client.py:
#
#     loss        -sum_i worth_i (x_i - x_i^2 / 2)      the first half of an offer is worth more than the second
#     constraint  sum_i cost_i x_i - BUDGET / ROUNDS    spend above an even plan
set -eu
delete=''
for word; do
  shift
  if [ "$word" = --delete ]; then delete=yes; else set -- "$@" "$word"; fi
done
sessions=${1:-http://127.0.0.1:8780}/v1/sessions rounds=${2:-288} channels=3 budget=100

# call METHOD URL [BODY]: $answer. What got none is sent again as it was: the server knows a round that it has taken by its number.
call() {
  for wait in 0.1 0.2 0.4 0.8 1.6 3.2 6.4 12.8; do
    # the token comes over stdin, so that no list of processes shows it
    answer=$(echo "Authorization: Bearer ${OFW_TOKEN:-}" | curl -s -m 10 -w '%{http_code}' -H @- -H 'Content-Type: application/json' \
      -X "$1" ${3:+--data-binary "$3"} "$2") || answer=000 # the server is away, or its answer was lost
    status=${answer#"${answer%???}"} answer=${answer%???}
    case $status in
      2??) return ;;
      000 | 429 | 503 | 507) sleep "$wait" ;; # too fast, stopping, disk full: these pass
      *) break ;;
    esac
  done
  echo "client.sh: ${answer:-no answer from $2}" >&2
  exit 1
}

# What a round was worth and cost in all, then its feedback. market() is a stand-in for your own figures.
# shellcheck disable=SC2016
play='
function market(t, i) { worth = 0.5 + (7919 * t + 104729 * i) % 1009 / 1009; cost = (0.4 + 0.3 * i) * (0.8 + 31 * t % 97 / 240) }
/decision/ {
  gsub(/.*\[|\].*/, "")
  split($0, x, ",")
  for (i = 0; i < channels; i++) {
    market(t, i)
    loss -= worth * (x[i + 1] - x[i + 1] * x[i + 1] / 2)
    spend += cost * x[i + 1]
    gradient = gradient (i ? "," : "") sprintf("%.17g", worth * (x[i + 1] - 1))
    costs = costs (i ? "," : "") sprintf("%.17g", cost)
  }
  printf "%.17g %.17g {\"round\":%d,\"loss\":%.17g,\"loss_gradient\":[%s],\"constraint\":%.17g,\"constraint_gradient\":[%s]}\n",
    got - loss, spent + spend, t, loss, gradient, spend - budget / rounds, costs
}'

call POST "$sessions" '{"learner":"ofw-ada","domain":"hypercube01:dim='$channels'","name":"pacing","options":{"constraints":"budgets","period":'"$rounds"'}}'
id=${answer#*'"id":"'}
session=$sessions/${id%%'"'*}
call GET "$session/decision"
t=1 got=0 spent=0
while [ "$t" -le "$rounds" ]; do
  told=$(echo "$answer" | awk -v t="$t" -v channels=$channels -v budget=$budget -v rounds="$rounds" -v got="$got" -v spent="$spent" "$play")
  feedback=${told#* } got=${told%% *}
  spent=${feedback%% *} feedback=${feedback#* }
  call POST "$session/feedback?decide=1" "$feedback"
  t=$((t + 1))
done
printf '%d rounds, spent %.2f of %.2f, worth %.2f\n' "$rounds" "$spent" $budget "$got"
[ -z "$delete" ] || call DELETE "$session"
