# Completion of ofw for bash, written by ofw-pages from the program's own tables.

# _ofw_rows PATH: into reply what may stand there.
_ofw_rows() {
  reply=()
  case $1 in
@rows
  esac
}

# _ofw_offer PREFIX PIECE: the words of reply that begin with PIECE, and files where reply says so, behind PREFIX.
_ofw_offer() {
  local word
  if [[ ${reply[0]} == '<file>' ]]; then
    compopt -o filenames 2> /dev/null
    reply=("${reply[@]:1}")
    while IFS= read -r word; do
      found+=("$1$word")
    done < <(compgen -f -- "$2")
  fi
  for word in "${reply[@]}"; do
    [[ $word == "$2"* ]] && found+=("$1$word")
  done
}

# _ofw_pair REGISTRY NAME TEXT PAIR: TEXT ends with PAIR, the beginning of KEY=VALUE, an option of NAME.
_ofw_pair() {
  local value=${4#*=}
  if [[ $4 != *=* ]]; then
    _ofw_rows "$1/$2"
    value=$4
  else
    _ofw_rows "$1/$2/${4%%=*}"
    [[ ${reply[0]} == '<file>' ]] && value=${value#@}
  fi
  _ofw_offer "${3%"$value"}" "$value"
}

# _ofw_spec REGISTRY TEXT: the beginning of name:key=value,..., whose values may be specs in parentheses.
_ofw_spec() {
  local text=$2
  [[ $text == *')' ]] && return
  while [[ $text =~ \([^()]*\) ]]; do
    text=${text/"${BASH_REMATCH[0]}"/}
  done
  text=${text##*'('}
  if [[ $text == *:* ]]; then
    local pairs=${text#*:}
    _ofw_pair "$1" "${text%%:*}" "$2" "${pairs##*,}"
  else
    _ofw_rows "$1"
    _ofw_offer "${2%"$text"}" "$text"
  fi
}

# _ofw_set TEXT: an option of the learner that the line names, or of any.
_ofw_set() {
  local i learners=()
  for ((i = 1; i < ${#line[@]}; i++)); do
    [[ ${line[i]} == --learner ]] && learners=("${line[i + 1]}")
    [[ ${line[i]} == --learner=* ]] && learners=("${line[i]#*=}")
  done
  if [[ ${#learners[@]} == 0 ]]; then
    _ofw_rows learners
    learners=("${reply[@]}")
  fi
  for i in "${learners[@]}"; do
    _ofw_pair learners "$i" "$1" "$1"
  done
}

# _ofw_value OPTION TEXT: its value; 1 where it takes none.
_ofw_value() {
  _ofw_rows "takes/${line[1]}/$1"
  local kind=${reply[0]} registry=${reply[1]}
  case $kind in
    names) _ofw_rows "$registry" && _ofw_offer '' "$2" ;;
    spec) _ofw_spec "$registry" "$2" ;;
    set) _ofw_set "$2" ;;
    file) reply=('<file>') && _ofw_offer '' "$2" ;;
    text) ;;
    *) return 1 ;;
  esac
  [[ $kind == spec ]] && compopt -o nospace 2> /dev/null
  return 0
}

_ofw() {
  local line=() reply=() found=() word='' cut='' typed=${COMP_LINE:0:COMP_POINT}
  read -r -a line <<< "$typed"
  [[ $typed == *[[:blank:]] ]] && line+=('')
  local last=$((${#line[@]} - 1)) breaks=${COMP_WORDBREAKS//[!:=(]/}
  word=${line[last]}
  case $word in
    [\'\"]*) word=${word:1} ;; # within quotes readline breaks no word
    *) [[ -n $breaks && $word == *[$breaks]* ]] && cut=${word%"${word##*[$breaks]}"} ;;
  esac
  if ((last == 1)); then
    _ofw_rows commands
    _ofw_offer '' "$word"
  elif [[ $word == --*=* ]]; then
    _ofw_value "${word%%=*}" "${word#*=}"
    found=("${found[@]/#/${word%%=*}=}")
  elif ! _ofw_value "${line[last - 1]}" "$word"; then
    _ofw_rows "words/${line[1]}"
    [[ $word == -* ]] && _ofw_rows "options/${line[1]}"
    _ofw_offer '' "$word"
  fi
  COMPREPLY=("${found[@]#"$cut"}")
  [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace 2> /dev/null
  return 0
}

complete -F _ofw ofw
