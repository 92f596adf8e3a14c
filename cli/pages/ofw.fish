# Completion of ofw for fish, written by ofw-pages from the program's own tables.

function __ofw_items
    while set -q argv[1]
        printf '%s\t%s\n' $argv[1] $argv[2]
        set -e argv[1..2]
    end
end

function __ofw_rows -a path -d 'what may stand at a path, each with its description'
    switch $path
@rows
    end
end

function __ofw_offer -a prefix path piece -d 'what may stand at a path, and files where it says so, behind a prefix'
    set -l rows (__ofw_rows $path)
    if string match -q '<file>*' -- $rows[1]
        set rows $rows[2..-1] (__fish_complete_path $piece)
    end
    for row in $rows
        printf '%s\n' $prefix$row
    end
end

function __ofw_before -a text piece -d 'the text without the piece that it ends with'
    string sub -l (math (string length -- "$text") - (string length -- "$piece")) -- "$text"
end

function __ofw_pair -a path text pair -d 'the text ends with the beginning of KEY=VALUE, an option'
    set -l parts (string split -m 1 = -- "$pair")
    if set -q parts[2]
        set -l value (string replace -r '^@' '' -- "$parts[2]")
        __ofw_offer (__ofw_before "$text" "$value") $path/$parts[1] "$value"
    else
        __ofw_offer (__ofw_before "$text" "$pair") $path "$pair"
    end
end

function __ofw_spec -a registry text -d 'the beginning of name:key=value,..., whose values may be specs in parentheses'
    string match -q '*)' -- "$text"; and return
    set -l inner "$text"
    while string match -qr '\([^()]*\)' -- "$inner"
        set inner (string replace -r '\([^()]*\)' '' -- "$inner")
    end
    set inner (string replace -r '.*\(' '' -- "$inner")
    set -l parts (string split -m 1 : -- "$inner")
    if set -q parts[2]
        __ofw_pair $registry/$parts[1] "$text" (string replace -r '.*,' '' -- "$parts[2]")
    else
        __ofw_offer (__ofw_before "$text" "$inner") $registry "$inner"
    end
end

function __ofw_set -a text -d 'an option of the learner that the line names, or of any'
    set -l words (commandline -o)
    set -l learners (string replace -rf '^--learner=' '' -- $words)
    if set -l at (contains -i -- --learner $words)
        set learners $words[(math $at + 1)]
    end
    set -q learners[1]; or set learners (__ofw_rows learners | string replace -r '\t.*' '')
    for learner in $learners
        __ofw_pair learners/$learner "$text" "$text"
    end
end

function __ofw_value -a option text -d 'its value; 1 where it takes none'
    set -l words (commandline -opc)
    set -l takes (__ofw_rows takes/$words[2]/$option | string trim)
    switch "$takes[1]"
        case names
            __ofw_rows $takes[2]
        case spec
            __ofw_spec $takes[2] "$text"
        case set
            __ofw_set "$text"
        case file
            __fish_complete_path "$text"
        case text
        case '*'
            return 1
    end
    return 0
end

function __ofw
    set -l words (commandline -opc)
    set -l word (string replace -r '^[\'"]' '' -- (commandline -ct))
    if not set -q words[2]
        __ofw_rows commands
    else if string match -q -- '--*=*' "$word"
        set -l parts (string split -m 1 = -- "$word")
        for line in (__ofw_value $parts[1] "$parts[2]")
            printf '%s\n' $parts[1]=$line
        end
    else if not __ofw_value $words[-1] "$word"
        if string match -q -- '-*' "$word"
            __ofw_rows options/$words[2]
        else
            __ofw_offer '' words/$words[2] "$word"
        end
    end
end

complete -c ofw -f -a '(__ofw)'
