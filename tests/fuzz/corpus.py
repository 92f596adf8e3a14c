"""A target's corpus: one archive, tests/fuzz/corpus/NAME.tar, which is the same bytes for the same inputs."""
import io
import pathlib
import tarfile

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus"


def read(name):
    """{input's name: its bytes}; of a target that has none yet it is empty."""
    path = FOLDER / f"{name}.tar"
    if not path.exists():
        return {}
    with tarfile.open(path) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def write(name, inputs):
    """Sorted, and without times and owners, so that git sees a difference only if there is one."""
    with tarfile.open(FOLDER / f"{name}.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for entry, data in sorted(inputs.items()):
            about = tarfile.TarInfo(entry)
            about.size = len(data)
            tar.addfile(about, io.BytesIO(data))


def unpack(name, folder):
    """The inputs as files, as libFuzzer takes them, and no other."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = read(name)
    for old in folder.iterdir():
        if old.name not in inputs:
            old.unlink()
    for entry, data in inputs.items():
        (folder / entry).write_bytes(data)
