#compdef ofw
# Completion of ofw for zsh, written by ofw-pages from the program's own tables.

# _ofw_rows PATH: into reply what may stand there, as word:description.
_ofw_rows() {
  reply=()
  case $1 in
@rows
  esac
}

# _ofw_offer PREFIX WHAT [compadd's options]: reply, and files where it says so, behind PREFIX.
_ofw_offer() {
  local prefix=$1 what=$2
  shift 2
  compset -p $#prefix
  if [[ $reply[1] == '<file>' ]]; then
    shift reply
    _files
  fi
  if (( $#reply )); then
    _describe $what reply "$@"
  fi
}

# _ofw_pair REGISTRY NAME TEXT PAIR: TEXT ends with PAIR, the beginning of KEY=VALUE, an option of NAME.
_ofw_pair() {
  local value=${4#*=}
  if [[ $4 != *=* ]]; then
    _ofw_rows $1/$2
    _ofw_offer "${3%"$4"}" option -S ''
  else
    _ofw_rows $1/$2/${4%%=*}
    [[ $reply[1] == '<file>' ]] && value=${value#@}
    _ofw_offer "${3%"$value"}" value "${@[5,-1]}"
  fi
}

# _ofw_spec REGISTRY TEXT PREFIX: the beginning of name:key=value,..., whose values may be specs in parentheses.
_ofw_spec() {
  local text=$2 before
  [[ $text == *')' ]] && return
  while [[ $text != $before ]]; do
    before=$text
    text=${text/'('[^()]#')'/}
  done
  text=${text##*'('}
  if [[ $text == *:* ]]; then
    local pairs=${text#*:}
    _ofw_pair $1 ${text%%:*} $3$2 "${pairs##*,}" -S ''
  else
    _ofw_rows $1
    _ofw_offer "$3${2%"$text"}" ${1%s} -S ''
  fi
}

# _ofw_set TEXT PREFIX: an option of the learner that the line names, or of any.
_ofw_set() {
  local i row
  local -a learners all
  for ((i = 2; i <= $#words; i++)); do
    [[ $words[i] == --learner ]] && learners=("$words[i+1]")
    [[ $words[i] == --learner=* ]] && learners=("${words[i]#*=}")
  done
  if (( ! $#learners )); then
    _ofw_rows learners
    learners=(${reply%%:*})
  fi
  for i in $learners; do
    _ofw_rows learners/$i${${(M)1:#*=*}:+/${1%%=*}}
    for row in $reply; do
      (( ${all[(I)${row%%:*}(|:*)]} )) || all+=($row)
    done
  done
  reply=($all)
  if [[ $1 == *=* ]]; then
    _ofw_offer $2${1%%=*}= value
  else
    _ofw_offer "$2" option -S ''
  fi
}

# _ofw_value OPTION TEXT PREFIX: its value; 1 where it takes none.
_ofw_value() {
  _ofw_rows takes/$words[2]/$1
  local kind=$reply[1] registry=$reply[2]
  case $kind in
    names) _ofw_rows $registry && _ofw_offer "$3" ${registry%s} ;;
    spec) _ofw_spec $registry "$2" "$3" ;;
    set) _ofw_set "$2" "$3" ;;
    file) reply=('<file>') && _ofw_offer "$3" file ;;
    text) _message value ;;
    *) return 1 ;;
  esac
  return 0
}

_ofw() {
  setopt localoptions extendedglob
  local -a reply
  if (( CURRENT == 2 )); then
    _ofw_rows commands
    _ofw_offer '' command
  elif [[ $PREFIX == --*=* ]]; then
    _ofw_value ${PREFIX%%=*} "${PREFIX#*=}" ${PREFIX%%=*}=
  elif ! _ofw_value $words[CURRENT-1] "$PREFIX" ''; then
    _ofw_rows words/$words[2]
    [[ $PREFIX == -* ]] && _ofw_rows options/$words[2]
    _ofw_offer '' argument
  fi
}

if [[ $funcstack[1] == _ofw ]]; then
  _ofw "$@"
else
  compdef _ofw ofw
fi
