"""What bash, zsh and fish offer at the end of a line once they have ofw's completions, and what Tab makes of it."""
import os
import pty
import select
import subprocess
import time

PATIENCE = 300                    # seconds after which a shell counts as hanging

BASH = r"""
source "$1/ofw.bash"
shift
for line; do
  COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
  _ofw
  printf '%s\n' "${COMPREPLY[@]}" ''
done
"""

FISH = r"""
source $argv[1]/ofw.fish
for line in $argv[2..]
  complete -C $line
  echo
end
"""

# Every word that compadd is given goes to a file, behind what is already decided of it.
ZSH = r"""
fpath=($COMPLETION $fpath)
autoload -U compinit && compinit -u -D
setopt no_auto_list no_auto_menu no_list_beep no_beep
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- $IPREFIX${^hits} >> $OFFERED
  builtin compadd "$@"
}
show() { print -r -- "$BUFFER" > $SHOWN.new && mv $SHOWN.new $SHOWN }
zle -N show
bindkey '^X^T' show
"""

BASH_KEYS = r"""
source "$COMPLETION/ofw.bash"
bind 'set bell-style none' 'set show-all-if-ambiguous off'
show() { printf '%s\n' "$READLINE_LINE" > "$SHOWN.new" && mv "$SHOWN.new" "$SHOWN"; }
bind -x '"\C-x\C-t": show'
"""


def environment(completion, folder, **more):
    return {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8", "TERM": "dumb", "COMPLETION": completion,
            **more}


def answers(command, script, completion, folder, lines):
    """One list of words a line, as a shell that is no terminal's prints them."""
    path = os.path.join(folder, "script")
    with open(path, "w", encoding="utf-8") as file:
        file.write(script)
    done = subprocess.run([*command, path, completion, *lines], cwd=folder, env=environment(completion, folder),
                          capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"{command}: code {done.returncode}, stderr {done.stderr[:500]!r}")
    groups, group = [], []
    for line in done.stdout.split("\n")[:-1]:
        if line:
            group.append(line.split("\t")[0])
        else:
            groups.append(group)
            group = []
    if len(groups) != len(lines):
        raise RuntimeError(f"{command}: {len(groups)} answers to {len(lines)} lines")
    return groups


class Terminal:
    """An interactive shell: lines are typed, Tab is pressed, and what then stands on the line is read."""

    def __init__(self, command, setup, completion, folder):
        self.folder, self.shown, self.offered = folder, os.path.join(folder, "shown"), os.path.join(folder, "offered")
        env = environment(completion, folder, SHOWN=self.shown, OFFERED=self.offered, PS1="", PROMPT="")
        with open(os.path.join(folder, "setup"), "w", encoding="utf-8") as file:
            file.write(setup)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, env)
        self.send(". ./setup\n")
        self.press("")

    def send(self, text):
        os.write(self.fd, text.encode())

    def press(self, text):
        """Types the text and has the line written to a file."""
        if os.path.exists(self.shown):
            os.unlink(self.shown)
        self.send(text + "\x18\x14")
        end = time.monotonic() + PATIENCE
        while not os.path.exists(self.shown):
            if time.monotonic() > end:
                raise RuntimeError(f"no answer to {text!r}")
            if select.select([self.fd], [], [], 0.01)[0]:
                os.read(self.fd, 65536)                   # what it echoes is not looked at
        with open(self.shown, encoding="utf-8") as file:
            return file.read().rstrip("\n")

    def tab(self, line):
        """The line after Tab, and the words that were offered (zsh)."""
        if os.path.exists(self.offered):
            os.unlink(self.offered)
        after = self.press(line + "\t")
        self.press("\x01\x0b")                            # to its beginning, away with the rest
        if not os.path.exists(self.offered):
            return after, []
        with open(self.offered, encoding="utf-8") as file:
            return after, file.read().split("\n")[:-1]

    def close(self):
        os.close(self.fd)                                 # a shell whose terminal is gone ends
        os.waitpid(self.pid, 0)


def bash(completion, folder, lines):
    return answers(["bash", "--norc", "--noprofile"], BASH, completion, folder, lines)


def fish(completion, folder, lines):
    return answers(["fish", "--no-config"], FISH, completion, folder, lines)


def zsh(completion, folder, lines):
    terminal = Terminal(["zsh", "-f", "-i"], ZSH, completion, folder)
    try:
        return [terminal.tab(line)[1] for line in lines]
    finally:
        terminal.close()


def zsh_tab(completion, folder, lines):
    return tabs(["zsh", "-f", "-i"], ZSH, completion, folder, lines)


def bash_tab(completion, folder, lines):
    return tabs(["bash", "--norc", "--noprofile", "-i"], BASH_KEYS, completion, folder, lines)


def tabs(command, setup, completion, folder, lines):
    """Each line after Tab."""
    terminal = Terminal(command, setup, completion, folder)
    try:
        return [terminal.tab(line)[0] for line in lines]
    finally:
        terminal.close()
